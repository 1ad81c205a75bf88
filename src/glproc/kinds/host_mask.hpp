// A mask in CPU memory, a bit a pixel, as kinds/mask_bits.hpp has it in GPU memory.
#pragma once

#include "glproc/image/image.hpp"
#include "glproc/kinds/mask_bits.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace glproc {

/// A mask in CPU memory, with the layout of MaskBits.
struct HostMask {
    int width = 0;
    int height = 0;
    std::vector<std::uint32_t> words = {};

    std::size_t word_of(int x, int y) const {
        return static_cast<std::size_t>(y * MaskBits::row_words_of(width) + x / 32);
    }
    bool is_set(int x, int y) const { return (words[word_of(x, y)] >> (static_cast<unsigned>(x) % 32) & 1U) != 0; }
};

/// As mask_bits().
HostMask host_mask(const Image& picture, MaskedPixels which);

/// The same mask in CPU memory.
HostMask host_mask(const MaskBits& bits);

/// The pixels that are not set.
HostMask inverted(HostMask mask);

/// A copy in GPU memory.
MaskBits upload(Context& gpu, const HostMask& mask);

/// White where pixels are set, else black: one channel of 8 bits.
Image picture_of(const HostMask& mask);
GpuImage picture_of(Context& gpu, const MaskBits& mask);

/// Rows of a mask's bits as rows of a picture.
Form bits_form(const Form& form);

} // namespace glproc
