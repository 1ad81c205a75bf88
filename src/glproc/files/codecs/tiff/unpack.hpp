// What TIFF stores of a pixel, as the pixels of an Image.
#pragma once

#include "glproc/files/codecs/tiff/layout.hpp"

#include <span>

namespace glproc::codecs {

/// `count` values of one row of a strip or tile to their pixels in the picture.
void unpack_row(const TiffLayout& layout, const Form& form, const std::byte* from, std::byte* to, int count,
                int plane);

/// White is made the largest value, and colour that was stored times alpha is divided by it.
void normalise(const TiffLayout& layout, const Form& form, std::span<std::byte> rows);

} // namespace glproc::codecs
