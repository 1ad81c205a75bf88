// Copying by several threads, against copying byte by byte.
#include "glproc/base/copy.hpp"
#include "glproc/base/random_words.hpp"
#include "support/catch.hpp"
#include "support/thread_limit.hpp"

#include <cstdint>
#include <vector>

using namespace glproc;
using glproc::test::ThreadLimit;

namespace {

std::vector<std::byte> noise(std::size_t count) {
    std::vector<std::byte> bytes(count);
    RandomWords words(7);
    for (std::byte& byte : bytes) {
        byte = static_cast<std::byte>(words() >> 24U);
    }
    return bytes;
}

} // namespace

TEST_CASE("bytes are copied by any number of threads, and no others are touched") {
    constexpr std::size_t piece = std::size_t{256} << 10U;
    for (const std::size_t threads : {1U, 2U, 16U}) {
        const ThreadLimit limit(threads);
        for (const std::size_t count :
             {std::size_t{0}, std::size_t{1}, piece - 1, piece, piece + 1, 11 * piece + 17}) {
            const std::vector<std::byte> from = noise(count);
            std::vector<std::byte> to(count + 2, std::byte{9});
            copy_bytes(from.data(), to.data() + 1, count);
            CHECK(std::vector(to.begin() + 1, to.end() - 1) == from);
            CHECK(to.front() == std::byte{9});
            CHECK(to.back() == std::byte{9});
        }
    }
}

TEST_CASE("rows are copied between places of any pitch, upside down as well") {
    const ThreadLimit limit(8);
    constexpr std::ptrdiff_t bytes = 1009;
    constexpr int rows = 1201;
    for (const std::ptrdiff_t from_pitch : {bytes, bytes + 5, -bytes - 3}) {
        for (const std::ptrdiff_t to_pitch : {bytes, bytes + 7, -bytes}) {
            const std::vector<std::byte> from = noise(rows * (bytes + 8));
            std::vector<std::byte> to(rows * (bytes + 8), std::byte{9});
            std::vector<std::byte> expected = to;
            const std::ptrdiff_t first_from = from_pitch < 0 ? -from_pitch * (rows - 1) : 0;
            const std::ptrdiff_t first_to = to_pitch < 0 ? -to_pitch * (rows - 1) : 0;
            for (std::ptrdiff_t y = 0; y < rows; ++y) {
                for (std::ptrdiff_t x = 0; x < bytes; ++x) {
                    expected[static_cast<std::size_t>(first_to + y * to_pitch + x)] =
                        from[static_cast<std::size_t>(first_from + y * from_pitch + x)];
                }
            }
            copy_rows(from.data() + first_from, from_pitch, to.data() + first_to, to_pitch, bytes, rows);
            CHECK(to == expected);
        }
    }
}

TEST_CASE("bands hold each row once") {
    for (const std::size_t threads : {1U, 3U}) {
        const ThreadLimit limit(threads);
        for (const int rows : {0, 1, 255, 256, 257, 5003}) {
            std::vector<int> seen(static_cast<std::size_t>(rows));
            in_bands(rows, 1024, [&](int first, int count) {
                for (int y = first; y < first + count; ++y) {
                    ++seen[static_cast<std::size_t>(y)];
                }
            });
            CHECK(seen == std::vector<int>(static_cast<std::size_t>(rows), 1));
        }
    }
}
