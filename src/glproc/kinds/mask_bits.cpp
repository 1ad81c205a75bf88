#include "glproc/kinds/mask_bits.hpp"

#include "glproc/gl/gpu_image.hpp"

namespace glproc {

MaskBits mask_bits(Context& gpu, const GpuImage& picture, MaskedPixels which, const MaskBits* before,
                   int above) {
    const auto row_words = static_cast<std::size_t>(MaskBits::row_words_of(picture.width()));
    const auto rows = static_cast<std::size_t>(picture.height()) + static_cast<std::size_t>(above);
    MaskBits bits{picture.width(), static_cast<int>(rows),
                  gpu.make_buffer(row_words * rows * sizeof(std::uint32_t), "mask.bits")};
    if (above > 0) {
        const std::size_t kept = bits.row_bytes() * static_cast<std::size_t>(above);
        const std::size_t all = bits.row_bytes() * static_cast<std::size_t>(before->height);
        bits.words.copy_from(before->words, all - kept, 0, kept);
    }
    gpu.pass("mask.bits", "mask/bits.comp",
             {{"CHANNELS", text(picture.stored_channels())},
              {"SRC_DEPTH", text(static_cast<int>(picture.depth()))},
              {"HIDES", picture.has_alpha() ? "1" : "0"}})
        .reads("i_src", picture)
        .writes("b_bits", bits.words)
        .set("u_size", Int2{picture.width(), picture.height()})
        .set("u_row_words", static_cast<std::uint32_t>(row_words))
        .set("u_first_row", static_cast<std::uint32_t>(above))
        .set("u_flip", which == MaskedPixels::zero ? ~0U : 0U)
        .over_1d(static_cast<std::int64_t>(row_words) * picture.height());
    return bits;
}

} // namespace glproc
