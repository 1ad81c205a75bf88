#include "glproc/gl/blocks.hpp"

#include "glproc/gl/context.hpp"
#include "glproc/gl/context_state.hpp"
#include "glproc/gl/transfer.hpp"
#include "glproc/gl/tuning.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

namespace glproc {

namespace {

constexpr int width = 8192; // texels, of every image that holds blocks
constexpr int block_height = 16;
constexpr std::size_t quad_bytes = Texture::texel_bytes;
constexpr std::size_t part_bytes = std::size_t{64} << 20U; // that travel at a time

std::size_t bytes_of(const GpuArray& array) {
    return array.count() * sizeof(std::uint32_t);
}

std::size_t quads_in(std::size_t bytes) {
    return (bytes + quad_bytes - 1) / quad_bytes;
}

/// Rows of the image, in 64 bits as it may be one that no texture is as high as.
std::int64_t height_for(std::size_t bytes) {
    constexpr std::size_t row_of_blocks = std::size_t{width} * block_height;
    return static_cast<std::int64_t>((std::max<std::size_t>(quads_in(bytes), 1) + row_of_blocks - 1) / row_of_blocks) *
           block_height;
}

Pass blocks_pass(Context& gpu, bool to_blocks, std::size_t first_byte, std::size_t bytes) {
    Pass pass = gpu.pass(to_blocks ? "blocks.fill" : "blocks.empty", "transfer_blocks.comp",
                         {{"TO_BLOCKS", to_blocks ? "1" : "0"}});
    pass.set("u_first", static_cast<std::uint32_t>(first_byte / quad_bytes))
        .set("u_quads", static_cast<std::uint32_t>(quads_in(bytes)));
    return pass;
}

/// The bytes of `blocks` from `first` on into the buffer from its beginning on.
void empty_into(Context& gpu, const GpuImage& blocks, std::size_t first, Buffer& words, BufferRange range) {
    blocks_pass(gpu, false, first, range.bytes)
        .reads("i_from", blocks)
        .writes("b_to", words, range)
        .over_1d(static_cast<std::int64_t>(quads_in(range.bytes)));
}

/// Calls `work` with the first byte of each part and how many it has.
template <class Work>
void each_part(std::size_t bytes, Work work) {
    for (std::size_t first = 0; first < bytes; first += part_bytes) {
        work(first, std::min(part_bytes, bytes - first));
    }
}

} // namespace

bool prefers_blocks(const Context& gpu, std::size_t bytes) {
    const std::string_view from = tuned_variant(gpu.device(), "arrays in blocks");
    return from != "never" && bytes >= std::stoull(std::string(from)) &&
           height_for(bytes) <= gpu.limits().texture_size && width <= gpu.limits().texture_size;
}

GpuArray make_blocks(Context& gpu, const ArrayForm& form, std::string_view label) {
    GpuArray array{form.type, form.shape, gpu.make_buffer(0, label), std::nullopt};
    const std::int64_t height = std::min<std::int64_t>(height_for(bytes_of(array)), INT32_MAX);
    array.blocks.emplace(gpu.make_image({width, static_cast<int>(height), 4, Depth::f32}, label));
    return array;
}

GpuArray upload_in_blocks(Context& gpu, const Array& array, std::string_view label) {
    GpuArray result = make_blocks(gpu, {array.type, array.shape}, label);
    Buffer part = gpu.make_buffer(std::min(part_bytes, array.bytes.size()), label);
    each_part(array.bytes.size(), [&](std::size_t first, std::size_t bytes) {
        gpu.state().transfer->upload(std::span(array.bytes).subspan(first, bytes), part);
        blocks_pass(gpu, true, first, bytes)
            .reads("b_from", part, {0, bytes})
            .writes("i_to", *result.blocks)
            .over_1d(static_cast<std::int64_t>(quads_in(bytes)));
    });
    return result;
}

Array download_blocks(Context& gpu, const GpuArray& array) {
    Array result{array.type, array.shape, std::vector<std::byte>(bytes_of(array))};
    each_part(result.bytes.size(), [&](std::size_t first, std::size_t bytes) {
        Buffer part = gpu.make_buffer(bytes, "blocks.part");
        empty_into(gpu, *array.blocks, first, part, {0, bytes});
        gpu.state().transfer->download(part, std::span(result.bytes).subspan(first, bytes));
    });
    return result;
}

GpuArray in_words(Context& gpu, const GpuArray& array) {
    GpuArray result{array.type, array.shape, gpu.make_buffer(bytes_of(array), "words"), std::nullopt};
    each_part(bytes_of(array), [&](std::size_t first, std::size_t bytes) {
        empty_into(gpu, *array.blocks, first, result.words, {first, bytes});
    });
    return result;
}

} // namespace glproc
