// Pixels beyond a picture: for kernels that include lib/border.glsl, and for their references.
#pragma once

#include "glproc/gl/pass.hpp"
#include "glproc/kinds/filter.hpp"

#include <array>

namespace glproc {

/// The index in 0 … n − 1 that stands for any i; −1 for the constant.
int index_within(BorderMode mode, int i, int n);

/// The constant border's pixel in code units: three colours, and alpha.
using BorderCodes = std::array<double, 4>;

/// The constant, rounded to the depth of images of this form so that every method sees the same.
BorderCodes border_codes(const Form& form, const Border& border, double alpha);

/// A texel full of the constant border's pixel: u_border_texel of lib/border.glsl.
Uint4 border_texel(const Form& form, const BorderCodes& codes, Depth depth);

} // namespace glproc
