#include "glproc/ops/components/picture.hpp"

#include <algorithm>
#include <bit>

namespace glproc {

namespace {

std::uint32_t white_of(Depth depth) {
    return depth == Depth::f32 ? std::bit_cast<std::uint32_t>(1.0F)
                               : static_cast<std::uint32_t>(max_code(depth));
}

} // namespace

GpuImage picture_of(Context& gpu, const Buffer& labels, const Form& form, LabelPixels pixels) {
    GpuImage picture = gpu.make_image(form, "components.picture");
    const std::int64_t row_bytes = std::int64_t{form.width} * std::int64_t{sizeof(std::uint32_t)};
    const std::int64_t alignment = std::max<std::int64_t>(gpu.limits().storage_alignment, 16);
    const std::int64_t most = (gpu.limits().storage_block_bytes - alignment) / row_bytes;
    for (std::int64_t row = 0; row < form.height;) { // a block may not hold the labels of all rows
        const std::int64_t rows = std::clamp<std::int64_t>(most, 1, form.height - row);
        const std::int64_t begin = row * row_bytes / alignment * alignment;
        gpu.pass("components.picture", "components/picture.comp",
                 {{"DST_DEPTH", text(static_cast<int>(form.depth))},
                  {"NUMBERS", pixels == LabelPixels::numbers ? "1" : "0"}})
            .reads("b_labels", labels,
                   BufferRange{static_cast<std::size_t>(begin),
                               static_cast<std::size_t>((row + rows) * row_bytes - begin)})
            .writes("i_dst", picture)
            .set("u_size", Int2{form.width, static_cast<int>(rows)})
            .set("u_first_pixel", static_cast<std::uint32_t>(begin / std::int64_t{sizeof(std::uint32_t)}))
            .set("u_first_row", static_cast<int>(row))
            .set("u_white", white_of(form.depth))
            .set("u_flip", pixels == LabelPixels::background ? 1U : 0U)
            .over(texels_per_row(form), rows);
        row += rows;
    }
    return picture;
}

} // namespace glproc
