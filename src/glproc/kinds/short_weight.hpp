// Weights of few bits, for pictures of 8 bits.
#pragma once

#include <cmath>

namespace glproc {

/// The nearest number of 16 significant bits: its product with a code of 8 bits is an exact float.
inline double short_weight(double weight) {
    constexpr int bits = 16;
    int exponent = 0;
    const double mantissa = std::ldexp(std::frexp(weight, &exponent), bits);
    return std::ldexp(std::nearbyint(mantissa), exponent - bits);
}

inline bool is_short(double weight) {
    return weight == short_weight(weight);
}

} // namespace glproc
