// Buffers: what is written last is what is read.
#include "glproc/base/error.hpp"
#include "support/catch.hpp"
#include "support/fixture.hpp"

using namespace glproc;
using namespace glproc::test;

TEST_CASE("a write right after a fill wins, and a fill right after a write") {
    for (const std::size_t words : {std::size_t{1}, std::size_t{9}, std::size_t{100003}}) {
        INFO(words);
        Buffer buffer = gpu().make_buffer(words * sizeof(std::uint32_t), "turns");
        const std::vector<std::uint32_t> values(words, 7);
        buffer.fill(5);
        buffer.write(values);
        CHECK(buffer.read<std::uint32_t>(words) == values);
        buffer.write(values);
        buffer.fill(5);
        CHECK(buffer.read<std::uint32_t>(words) == std::vector<std::uint32_t>(words, 5));
    }
}

TEST_CASE("a write with an offset leaves what lies before and after it") {
    Buffer buffer = gpu().make_buffer(4 * sizeof(std::uint32_t), "parts");
    buffer.write(std::vector<std::uint32_t>{1, 2, 3, 4});
    const std::vector<std::uint32_t> two{8, 9};
    buffer.write(std::as_bytes(std::span(two)), sizeof(std::uint32_t));
    CHECK(buffer.read<std::uint32_t>(4) == std::vector<std::uint32_t>{1, 8, 9, 4});
    CHECK_THROWS_AS(buffer.write(std::as_bytes(std::span(two)), 3 * sizeof(std::uint32_t)), Error);
    CHECK_THROWS_AS(buffer.write(std::as_bytes(std::span(two)), 100), Error);
}
