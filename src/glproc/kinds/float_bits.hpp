// Floats of pictures as they come in, as glsl/lib/float_bits.glsl has them.
#pragma once

#include <cmath>
#include <limits>

namespace glproc {

/// 0 with its sign where the value is nearer to 0 than 2^-126.
inline float without_denormal(float value) {
    return std::abs(value) < std::numeric_limits<float>::min() ? value * 0 : value;
}

} // namespace glproc
