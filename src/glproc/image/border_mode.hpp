// What lies beyond the ends of a line of pixels, or of other values.
#pragma once

#include <algorithm>

namespace glproc {

/// Values beyond the ends, exact for every distance, also for one larger than the line. SciPy has other names for
/// two of them.
enum class BorderMode { clamp, mirror, symmetric, wrap, constant, nearest = clamp, reflect = symmetric };

/// The index in 0 … n − 1 that stands for any i; −1 for the constant.
template <class Index>
Index index_within(BorderMode mode, Index i, Index n) {
    if (i >= 0 && i < n) {
        return i;
    }
    const auto modulo = [i](Index period) { return (i % period + period) % period; };
    switch (mode) {
    case BorderMode::clamp:
        return std::clamp<Index>(i, 0, n - 1);
    case BorderMode::mirror: {
        const Index period = std::max<Index>(2 * n - 2, 1);
        const Index j = modulo(period);
        return std::min(j, period - j);
    }
    case BorderMode::symmetric: {
        const Index j = modulo(2 * n);
        return std::min(j, 2 * n - 1 - j);
    }
    case BorderMode::wrap:
        return modulo(n);
    case BorderMode::constant:
        break;
    }
    return -1;
}

} // namespace glproc
