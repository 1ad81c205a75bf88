// CIE L*a*b* as TIFF stores it, as RGB.
#pragma once

#include "glproc/image/image.hpp"

#include <cstddef>
#include <span>

namespace glproc::codecs {

/// Codes of L*, a* and b* to sRGB in place, relative to their own white, which is D50 as in ICC profiles: L*
/// = 100 is white. RGB of 8 or 16 bits, with or without alpha; colours beyond sRGB are clipped.
void lab_to_rgb(const Form& form, std::span<std::byte> rows);

} // namespace glproc::codecs
