#include "glproc/math/logarithm.hpp"

#include <cmath>
#include <numbers>

namespace glproc {

double natural_log(double x) {
    // ln 2 in two parts: the products of the first one with exponents are exact.
    constexpr double ln2_high = 0x1.62e42feep-1;
    constexpr double ln2_low = 0x1.a39ef35793c76p-33;
    constexpr int last_power = 21; // the terms after it are below 2^-60 of the sum
    int exponent = 0;
    double part = std::frexp(x, &exponent);
    if (part < std::numbers::sqrt2 / 2) {
        part *= 2;
        --exponent;
    }
    // ln part = 2 artanh ratio = 2 (ratio + ratio^3 / 3 + ratio^5 / 5 ...)
    const double ratio = (part - 1) / (part + 1);
    const double square = ratio * ratio;
    double rest = 0;
    for (int power = last_power; power > 1; power -= 2) {
        rest = (rest + 1.0 / power) * square;
    }
    return exponent * ln2_high + (2 * ratio + (2 * ratio * rest + exponent * ln2_low));
}

} // namespace glproc
