// Pixels beyond a picture: for kernels that include lib/border.glsl, and for their references.
#pragma once

#include "glproc/gl/pass.hpp"
#include "glproc/kinds/filter.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace glproc {

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

/// A row of an image, with `reach` pixels more at each end. Without a row, as beyond a constant border, all pixels are `beyond`.
template <class T>
void lengthen(std::vector<T>& line, std::span<const T> row, const Form& form, BorderMode mode, int reach, std::span<const T> beyond) {
    const auto channels = static_cast<std::size_t>(form.channels);
    line.resize(static_cast<std::size_t>(form.width + 2 * reach) * channels);
    const auto put = [&](int x) {
        const int column = row.empty() ? -1 : index_within(mode, x, form.width);
        const std::span<const T> pixel = column < 0 ? beyond : row.subspan(static_cast<std::size_t>(column) * channels, channels);
        std::ranges::copy(pixel.first(channels), line.begin() + static_cast<std::ptrdiff_t>(x + reach) * form.channels);
    };
    std::ranges::copy(row, line.begin() + static_cast<std::ptrdiff_t>(reach) * form.channels);
    for (int x = -reach; x < 0; ++x) {
        put(x);
    }
    for (int x = row.empty() ? 0 : form.width; x < form.width + reach; ++x) {
        put(x);
    }
}

/// A texel full of the constant border's pixel: u_border_texel of lib/border.glsl.
Uint4 border_texel(const Form& form, const BorderCodes& codes, Depth depth);

} // namespace glproc
