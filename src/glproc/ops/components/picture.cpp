#include "glproc/ops/components/picture.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace glproc {

namespace {

std::uint32_t code_of(double value, Depth depth) {
    return depth == Depth::f32 ? std::bit_cast<std::uint32_t>(static_cast<float>(value))
                               : static_cast<std::uint32_t>(std::nearbyint(value * max_code(depth)));
}

/// Rows whose labels fit into a storage block.
struct LabelRows {
    std::int64_t first;
    std::int64_t count;
    BufferRange range;
    std::uint32_t first_pixel; ///< of the range
};

template <class Use>
void for_label_rows(Context& gpu, int width, int height, const Use& use) {
    constexpr std::int64_t word = sizeof(std::uint32_t);
    const std::int64_t row_bytes = width * word;
    const std::int64_t alignment = std::max<std::int64_t>(gpu.limits().storage_alignment, 16);
    const std::int64_t most = (gpu.limits().storage_block_bytes - alignment) / row_bytes;
    for (std::int64_t row = 0; row < height;) {
        const std::int64_t count = std::clamp<std::int64_t>(most, 1, height - row);
        const std::int64_t begin = row * row_bytes / alignment * alignment;
        const std::int64_t end = (row + count) * row_bytes;
        use(LabelRows{row,
                      count,
                      {static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)},
                      static_cast<std::uint32_t>(begin / word)});
        row += count;
    }
}

} // namespace

GpuImage picture_of(Context& gpu, const Buffer& labels, const Form& form, LabelPixels pixels) {
    GpuImage picture = gpu.make_image(form, "components.picture");
    for_label_rows(gpu, form.width, form.height, [&](const LabelRows& rows) {
        gpu.pass("components.picture", "components/picture.comp",
                 {{"DST_DEPTH", text(static_cast<int>(form.depth))},
                  {"NUMBERS", pixels == LabelPixels::numbers ? "1" : "0"}})
            .reads("b_labels", labels, rows.range)
            .writes("i_dst", picture)
            .set("u_size", Int2{form.width, static_cast<int>(rows.count)})
            .set("u_first_pixel", rows.first_pixel)
            .set("u_first_row", static_cast<int>(rows.first))
            .set("u_white", code_of(1, form.depth))
            .set("u_flip", pixels == LabelPixels::background ? 1U : 0U)
            .over(texels_per_row(form), rows.count);
    });
    return picture;
}

InsidePicture inside_of(Context& gpu, const Labelling& components, const Form& form, bool fills) {
    const MaskBits& mask = components.mask();
    const auto width = static_cast<std::uint32_t>(mask.width);
    const auto row_words = static_cast<std::uint32_t>(mask.row_words());
    const std::int64_t words = mask.word_count();
    // Words of a mask have 16 components at most.
    InsidePicture result{gpu.make_image(form, "components.inside"),
                         gpu.make_buffer(static_cast<std::size_t>(words + 1) / 2 * sizeof(std::uint32_t),
                                         "components.outside")};
    clear(gpu, result.outside);
    gpu.pass("components.outside", "components/outside.comp")
        .reads("b_bits", mask.words)
        .reads("b_parents", components.parents())
        .updates("b_outside", result.outside)
        .set("u_width", width)
        .set("u_height", static_cast<std::uint32_t>(mask.height))
        .set("u_row_words", row_words)
        .over_1d(2 * (std::int64_t{mask.width} + mask.height));
    gpu.pass("components.inside", "components/inside.comp",
             {{"DST_DEPTH", text(static_cast<int>(form.depth))}})
        .reads("b_bits", mask.words)
        .reads("b_parents", components.parents())
        .reads("b_outside", result.outside)
        .writes("i_dst", result.picture)
        .set("u_width", width)
        .set("u_words", static_cast<std::uint32_t>(words))
        .set("u_row_words", row_words)
        .set("u_white", code_of(1, form.depth))
        .set("u_flip", fills ? ~0U : 0U)
        .over_1d(words);
    return result;
}

std::uint32_t inside_count(Labelling& components, const InsidePicture& inside) {
    std::uint32_t count = components.count();
    for (const std::uint32_t word : inside.outside.read<std::uint32_t>((std::size_t{count} + 31) / 32)) {
        count -= static_cast<std::uint32_t>(std::popcount(word));
    }
    return count;
}

Form outlined_form(const Form& form) {
    return {form.width, form.height, colour_channels(form.channels), form.depth};
}

GpuImage outlined(Context& gpu, const GpuImage& picture, const Buffer& labels, const FramedMask& mask,
                  const Colour& colour, const MaskBits* ink) {
    const Form form = outlined_form(picture.form());
    GpuImage result = gpu.make_image(form, "components.outlined");
    for_label_rows(gpu, form.width, form.height, [&](const LabelRows& rows) {
        Pass pass = gpu.pass("components.outline", "components/outline.comp",
                             {{"CHANNELS", text(picture.stored_channels())},
                              {"SRC_DEPTH", text(static_cast<int>(form.depth))},
                              {"NUMBERED", ink != nullptr ? "1" : "0"}});
        if (ink != nullptr) {
            pass.reads("b_ink", ink->words);
        }
        pass.reads("i_src", picture)
            .reads("b_labels", labels, rows.range)
            .reads("b_bits", mask.bits.words)
            .writes("i_dst", result)
            .set("u_size", Int2{form.width, static_cast<int>(rows.count)})
            .set("u_first_pixel", rows.first_pixel)
            .set("u_first_row", static_cast<int>(rows.first))
            .set("u_row_words", static_cast<int>(mask.bits.row_words()))
            .set("u_first_bit", mask.above)
            .set("u_bit_rows", mask.bits.height)
            .set("u_colour", Uint4{code_of(colour.red, form.depth), code_of(colour.green, form.depth),
                                   code_of(colour.blue, form.depth), code_of(1, form.depth)})
            .over(texels_per_row(form), rows.count);
    });
    return result;
}

} // namespace glproc
