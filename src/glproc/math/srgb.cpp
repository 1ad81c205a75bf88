#include "glproc/math/srgb.hpp"

#include <cmath>

namespace glproc {

namespace {

constexpr double slope = 12.92;
constexpr double shift = 0.055;
constexpr double exponent = 2.4;
constexpr double last_straight = 0.04045; ///< encoded

} // namespace

double linear_of_srgb(double encoded) {
    return encoded <= last_straight ? encoded / slope : std::pow((encoded + shift) / (1 + shift), exponent);
}

double srgb_of_linear(double linear) {
    return linear <= last_straight / slope ? linear * slope
                                           : (1 + shift) * std::pow(linear, 1 / exponent) - shift;
}

} // namespace glproc
