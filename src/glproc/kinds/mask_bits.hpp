// A mask in GPU memory, a bit a pixel.
#pragma once

#include "glproc/gl/context.hpp"

#include <cstdint>

namespace glproc {

/// Which pixels of a picture are set: those that can be seen and where a colour channel is not 0 (NaN is not), or
/// the others.
enum class MaskedPixels { nonzero, zero };

/// As glsl/mask/bits.comp has them: 32 pixels of a row a word, rows begin on a word, bits beyond the picture
/// are 0.
struct MaskBits {
    int width = 0;
    int height = 0;
    Buffer words;

    std::int64_t row_words() const { return row_words_of(width); }
    std::int64_t word_count() const { return row_words() * height; }
    /// Of one row.
    std::size_t row_bytes() const { return static_cast<std::size_t>(row_words()) * sizeof(std::uint32_t); }

    static std::int64_t row_words_of(int width) { return (std::int64_t{width} + 31) / 32; }
};

/// The mask of a picture. `above`: rows that another mask of this width ends with come first, so many of
/// them.
MaskBits mask_bits(Context& gpu, const GpuImage& picture, MaskedPixels which = MaskedPixels::nonzero,
                   const MaskBits* before = nullptr, int above = 0);

} // namespace glproc
