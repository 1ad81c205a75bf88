// RGB as in CPU memory and as in texels; the counterpart of glsl/lib/rgb.glsl.
#pragma once

#include "glproc/image/image.hpp"

#include <cstddef>

namespace glproc {

/// A row of RGB pixels to RGBA with an opaque fourth value, and back.
void expand_row(const std::byte* from, std::byte* to, int width, Depth depth);
void shrink_row(const std::byte* from, std::byte* to, int width, Depth depth);

} // namespace glproc
