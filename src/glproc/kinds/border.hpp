// Pixels beyond a picture: for kernels that include lib/border.glsl, and for their references.
#pragma once

#include "glproc/gl/pass.hpp"
#include "glproc/kinds/filter.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace glproc {

/// The index in 0 … n − 1 that stands for any i; −1 for the constant.
int index_within(BorderMode mode, int i, int n);

/// The constant border's pixel in code units: three colours, and alpha.
using BorderCodes = std::array<double, 4>;

/// The constant, rounded to the depth of images of this form so that every method sees the same.
BorderCodes border_codes(const Form& form, const Border& border, double alpha);

/// The values of that pixel in images of this form. `weighted`: colours are multiplied by alpha.
template <class T = float>
std::vector<T> border_pixel(const BorderCodes& codes, const Form& form, bool weighted = false) {
    std::vector<T> pixel;
    for (std::size_t c = 0; c < static_cast<std::size_t>(form.channels); ++c) {
        const bool is_alpha = form.has_alpha() && c + 1 == static_cast<std::size_t>(form.channels);
        pixel.push_back(static_cast<T>(codes[is_alpha ? 3 : c])); // NOLINT: four channels at most
    }
    for (std::size_t c = 0; weighted && c + 1 < pixel.size(); ++c) {
        pixel[c] *= pixel.back();
    }
    return pixel;
}

/// A texel full of the constant border's pixel: u_border_texel of lib/border.glsl.
Uint4 border_texel(const Form& form, const BorderCodes& codes, Depth depth);

} // namespace glproc
