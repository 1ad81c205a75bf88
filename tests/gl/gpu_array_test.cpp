// Arrays on the GPU, in buffers and in blocks of a texture.
#include "glproc/gl/gpu_array.hpp"

#include "glproc/base/error.hpp"
#include "glproc/gl/blocks.hpp"
#include "support/catch.hpp"
#include "support/fixture.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

constexpr std::size_t block_words = 64 * 16 * 4;
constexpr std::size_t row_words = 128 * block_words; // of a row of blocks

/// Elements that tell their places, every byte of them: as floats NaNs are among them.
Array counted(ArrayType type, std::size_t count) {
    Array array{type, {count}, std::vector<std::byte>(4 * count)};
    for (std::size_t i = 0; i < count; ++i) {
        const auto word = static_cast<std::uint32_t>(i) * 2'654'435'761U;
        std::memcpy(&array.bytes[4 * i], &word, 4);
    }
    return array;
}

bool same(const Array& a, const Array& b) {
    return a.type == b.type && a.shape == b.shape && a.bytes == b.bytes;
}

/// What is wrong with an array of so many elements that goes up, comes back, and comes back from a buffer; or
/// nothing.
std::string trouble(Context& context, const Array& array, bool to_blocks) {
    const GpuArray here = context.upload(array);
    if (here.in_blocks() != to_blocks || here.count() != array.count()) {
        return "it lies elsewhere or is of another length";
    }
    if (!same(context.download(here), array)) {
        return "other elements come back";
    }
    if (to_blocks && !same(context.download(context.in_words(here)), array)) {
        return "other elements come back from a buffer";
    }
    return {};
}

} // namespace

TEST_CASE("arrays beyond the limit lie in blocks, and come back bit for bit") {
    // A limit of a quad, so that a quad and less stay; around blocks and rows of blocks; many parts.
    const std::vector<std::size_t> counts{0,
                                          1,
                                          3,
                                          4,
                                          5,
                                          127,
                                          128,
                                          129,
                                          block_words - 1,
                                          block_words,
                                          block_words + 1,
                                          row_words - 3,
                                          row_words,
                                          row_words + 1,
                                          3 * row_words + 12'345};
    std::vector<std::string> troubles;
    // Storage blocks smaller than a part, and of no whole number of quads.
    for (const char* limits : {"array_buffer_bytes:16", "array_buffer_bytes:16,storage_block_bytes:70001"}) {
        ContextOptions options = second_context_options();
        options.lower_limits = limits;
        with_second_context(options, [&](Context& context) {
            for (const std::size_t count : counts) {
                for (const ArrayType type : {ArrayType::u32, ArrayType::i32, ArrayType::f32}) {
                    const std::string found = trouble(context, counted(type, count), count > 4);
                    if (!found.empty()) {
                        troubles.push_back(std::to_string(count) + ": " + found);
                    }
                }
            }
        });
    }
    CHECK(troubles == std::vector<std::string>{});
}

TEST_CASE("an array keeps its shape in blocks, and gives out no buffer that it does not have") {
    ContextOptions options = second_context_options();
    options.lower_limits = "array_buffer_bytes:1024";
    Array array = counted(ArrayType::i32, 3 * 5 * 77);
    array.shape = {3, 5, 77};
    bool is_same = false;
    std::string refusal;
    std::string hint;
    with_second_context(options, [&](Context& context) {
        GpuArray here = context.upload(array, "photo");
        is_same =
            same(context.download(here), array) && same(context.download(context.in_words(here)), array);
        try {
            here.words();
        } catch (const Error& error) {
            refusal = error.what();
            hint = error.hint();
        }
    });
    CHECK(is_same);
    CHECK(refusal == "an array of 1155 elements lies in texture photo, not in a buffer");
    CHECK(hint == "Context::in_words() copies it to a buffer");
}

TEST_CASE("an array lies in blocks where it is long enough and a texture takes it") {
    Limits limits;
    limits.texture_size = 16384;
    constexpr std::size_t mib = std::size_t{1} << 20U;
    CHECK_FALSE(goes_in_blocks(1024 * mib, limits)); // no limit: never
    limits.array_buffer_bytes = 256 * mib;
    CHECK_FALSE(goes_in_blocks(0, limits));
    CHECK_FALSE(goes_in_blocks(256 * mib, limits));
    CHECK(goes_in_blocks(256 * mib + 4, limits));
    CHECK(goes_in_blocks(2048 * mib, limits)); // 8192 x 16384 texels
    CHECK_FALSE(goes_in_blocks(2048 * mib + 4, limits));
    CHECK_FALSE(goes_in_blocks(std::size_t{1} << 60U, limits));
    limits.texture_size = 8191;
    CHECK_FALSE(goes_in_blocks(256 * mib + 4, limits));
}

TEST_CASE("GPUs whose large buffers were seen to be slow keep large arrays in blocks") {
    const bool is_slow = gpu().device().is("nvidia");
    CHECK(goes_in_blocks(std::size_t{1} << 30U, gpu().limits()) == is_slow);
    CHECK_FALSE(goes_in_blocks(std::size_t{1} << 24U, gpu().limits()));
}
