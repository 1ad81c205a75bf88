#include "glproc/gl/blocks.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/gl/context.hpp"

#include <cstdint>

namespace glproc {

namespace {

// As in glsl/lib/blocks.glsl.
constexpr int width = 8192; // texels
constexpr int block_height = 16;
constexpr std::size_t quad_bytes = Texture::texel_bytes;

std::size_t quads_in(std::size_t bytes) {
    return covering(bytes, quad_bytes);
}

/// Texels down the image, in whole blocks.
std::size_t height_for(std::size_t bytes) {
    constexpr std::size_t row_of_blocks = std::size_t{width} * block_height;
    return covering(quads_in(bytes), row_of_blocks) * block_height;
}

/// A pass over the quads of `bytes` bytes.
Pass quads_pass(Context& gpu, bool fills, std::size_t first, std::size_t bytes) {
    Pass pass = gpu.pass("transfer.blocks", "transfer/blocks.comp", {{"FILL", fills ? "1" : "0"}});
    pass.set("u_first", static_cast<std::uint32_t>(first / quad_bytes))
        .set("u_quads", static_cast<std::uint32_t>(quads_in(bytes)));
    return pass;
}

} // namespace

bool goes_in_blocks(std::size_t bytes, const Limits& limits) {
    const auto most = static_cast<std::size_t>(limits.array_buffer_bytes);
    const auto side = static_cast<std::size_t>(limits.texture_size);
    return most > 0 && bytes > most && width <= side && height_for(bytes) <= side;
}

Form form_of_blocks(std::size_t bytes) {
    return {width, static_cast<int>(height_for(bytes)), 4, Depth::f32};
}

void fill_blocks(Context& gpu, const Buffer& from, std::size_t bytes, GpuImage& blocks, std::size_t first) {
    quads_pass(gpu, true, first, bytes)
        .reads("b_quads", from, {0, bytes})
        .writes("i_blocks", blocks)
        .over_1d(static_cast<std::int64_t>(quads_in(bytes)));
}

void empty_blocks(Context& gpu, const GpuImage& blocks, std::size_t first, Buffer& to, BufferRange range) {
    quads_pass(gpu, false, first, range.bytes)
        .reads("i_blocks", blocks)
        .writes("b_quads", to, range)
        .over_1d(static_cast<std::int64_t>(quads_in(range.bytes)));
}

} // namespace glproc
