// Parts of buffers, buffers beyond one storage block, and dispatches beyond one dimension.
#include "glproc/base/error.hpp"
#include "support/catch.hpp"
#include "support/environment.hpp"
#include "support/fixture.hpp"
#include "support/temp_dir.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

/// A folder of kernels to load from: glproc's own library and what a test adds.
class Kernels {
  public:
    Kernels() : variable_("GLPROC_GLSL_DIR", folder_.path().string()) {
        std::filesystem::copy(std::filesystem::path(GLPROC_SOURCE_DIR) / "glsl" / "lib",
                              folder_.path() / "lib");
    }
    void add(const std::string& name, const std::string& text) const {
        std::ofstream(folder_.path() / name) << text;
    }

  private:
    TempDir folder_;
    ScopedVariable variable_;
};

/// Adds one to each of the u_count words of b_words.
constexpr const char* increment = R"(#version 430 core
layout(std430) buffer b_words { uint words[]; };
uniform uint u_count;
layout(local_size_x = 64) in;
#include "lib/group.glsl"
void main() {
    uint i = linear_invocation();
    if (i < u_count) {
        words[i] += 1u;
    }
}
)";

/// Counts how often each group's number comes up.
constexpr const char* count_groups = R"(#version 430 core
layout(std430) buffer b_visits { uint visits[]; };
uniform uint u_count;
layout(local_size_x = 1) in;
#include "lib/group.glsl"
void main() {
    if (linear_group() < u_count) {
        atomicAdd(visits[linear_group()], 1u);
    }
}
)";

void run_increment(Buffer& buffer, BufferRange range) {
    const auto count = static_cast<std::uint32_t>(range.bytes / sizeof(std::uint32_t));
    gpu()
        .pass("increment", "ranges_increment.comp")
        .updates("b_words", buffer, range)
        .set("u_count", count)
        .over_1d(count);
}

std::size_t alignment() {
    return static_cast<std::size_t>(gpu().limits().storage_alignment);
}

std::string thrown_by(const auto& work) {
    try {
        work();
    } catch (const Error& error) {
        return error.what();
    }
    return "nothing";
}

} // namespace

TEST_CASE("a pass changes the range of a buffer that it was given, and nothing else") {
    const Kernels kernels;
    kernels.add("ranges_increment.comp", increment);
    const std::size_t words = alignment() / sizeof(std::uint32_t);
    Buffer buffer = gpu().make_buffer(3 * alignment(), "parts");
    buffer.fill(6);
    run_increment(buffer, {alignment(), alignment()});
    std::vector<std::uint32_t> expected(3 * words, 6);
    std::fill_n(expected.begin() + static_cast<std::ptrdiff_t>(words), words, 7);
    CHECK(buffer.read<std::uint32_t>(3 * words) == expected);
    run_increment(buffer, {alignment(), 4}); // a range that ends within 16 bytes
    expected[words] = 8;
    CHECK(buffer.read<std::uint32_t>(3 * words) == expected);
}

TEST_CASE("a range that the device or the buffer does not allow is refused with both numbers") {
    const Kernels kernels;
    kernels.add("ranges_increment.comp", increment);
    Buffer buffer = gpu().make_buffer(4 * alignment(), "parts");
    const std::string& renderer = gpu().device().renderer;
    const std::string align = std::to_string(alignment());
    if (alignment() > 4) {
        CHECK(thrown_by([&] {
                  run_increment(buffer, {4, 4});
              }) ==
              "pass increment wants buffer parts from byte 4, " + renderer + " allows multiples of " + align);
    }
    const std::string size = std::to_string(buffer.bytes());
    CHECK(thrown_by([&] {
              run_increment(buffer, {alignment(), buffer.bytes()});
          }) == "pass increment wants bytes " + align + " to " +
                    std::to_string(buffer.bytes() + alignment()) + " of buffer parts, which has " + size);
    CHECK(thrown_by([&] {
              run_increment(buffer, {buffer.bytes(), 0});
          }) == "pass increment wants bytes " + size + " to " + size + " of buffer parts, which has " + size);
}

TEST_CASE("a buffer may be larger than a storage block, a range may not") {
    const Kernels kernels;
    kernels.add("ranges_increment.comp", increment);
    const auto block = static_cast<std::size_t>(gpu().limits().storage_block_bytes);
    const std::size_t end = block / alignment() * alignment();
    Buffer buffer = gpu().make_buffer(end + alignment(), "large");
    CHECK(thrown_by([&] {
              run_increment(buffer, {0, buffer.bytes()});
          }) == "pass increment wants " + std::to_string(buffer.bytes()) +
                    " bytes of buffer large at once, " + gpu().device().renderer + " allows " +
                    std::to_string(block));
    buffer.fill(1);
    run_increment(buffer, {end, alignment()});
    run_increment(buffer, {0, alignment()});
    const auto values = buffer.read<std::uint32_t>(buffer.bytes() / sizeof(std::uint32_t));
    const std::size_t words = alignment() / sizeof(std::uint32_t);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const bool inside = i < words || i >= end / sizeof(std::uint32_t);
        if (values[i] != (inside ? 2U : 1U)) {
            FAIL("word " << i << " is " << values[i]);
        }
    }
}

TEST_CASE("a buffer that no memory holds is an error of the GPU, and the next pass runs") {
    const Kernels kernels;
    kernels.add("ranges_increment.comp", increment);
    try {
        gpu().make_buffer(std::size_t{1} << 46U, "endless");
        FAIL("64 TiB were allocated");
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::gpu);
        CHECK(std::string(error.what()).find("endless") != std::string::npos);
    }
    Buffer buffer = gpu().make_buffer(alignment(), "small");
    buffer.fill(1);
    run_increment(buffer, {0, alignment()});
    CHECK(buffer.read<std::uint32_t>(1)[0] == 2);
}

TEST_CASE("every group of a long dispatch has its own number") {
    const Kernels kernels;
    kernels.add("ranges_groups.comp", count_groups);
    for (const std::uint32_t count : {1U, 65'535U, 65'536U, 200'003U}) {
        Buffer visits = gpu().make_buffer(count * sizeof(std::uint32_t), "visits");
        visits.fill(0);
        gpu()
            .pass("groups", "ranges_groups.comp")
            .updates("b_visits", visits)
            .set("u_count", count)
            .groups_1d(count);
        CHECK(visits.read<std::uint32_t>(count) == std::vector<std::uint32_t>(count, 1));
    }
}
