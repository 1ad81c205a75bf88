// Colour that a file stores times its alpha, and back.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <type_traits>

namespace glproc::modules {

/// Pixels of `channels` values, the last of them alpha. Where alpha is 0 the colour stays as it is.
template <class T>
void divide_by_alpha(std::span<T> values, std::size_t channels) {
    constexpr bool whole = std::is_integral_v<T>;
    const double full = whole ? static_cast<double>(std::numeric_limits<T>::max()) : 1.0;
    for (std::size_t i = 0; i + channels <= values.size(); i += channels) {
        const double alpha = static_cast<double>(values[i + channels - 1]) / full;
        if (alpha == 1 || !(alpha > 0))
            continue;
        for (std::size_t c = i; c < i + channels - 1; ++c) {
            const double value = static_cast<double>(values[c]) / alpha;
            values[c] = static_cast<T>(whole ? std::nearbyint(std::min(value, full)) : value);
        }
    }
}

/// What divide_by_alpha() undoes, of floats.
inline void multiply_by_alpha(std::span<float> values, std::size_t channels) {
    for (std::size_t i = 0; i + channels <= values.size(); i += channels) {
        const float alpha = values[i + channels - 1];
        for (std::size_t c = i; alpha > 0 && c < i + channels - 1; ++c)
            values[c] *= alpha;
    }
}

} // namespace glproc::modules
