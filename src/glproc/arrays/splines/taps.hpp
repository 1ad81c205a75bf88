// The values of an array that a spline is made of at a place, and their weights. See splines.hpp.
#pragma once

#include "glproc/arrays/splines/splines.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace glproc {

inline constexpr std::size_t most_taps = most_spline_order + 1;

/// The values along one axis that a result is made of.
struct Taps {
    std::array<std::int64_t, most_taps> places{}; ///< in values
    std::array<double, most_taps> weights{};
    std::array<bool, most_taps> is_constant{}; ///< of `grid_constant`
    bool is_beyond = false;                    ///< the result is the constant
};

/// Along one axis of the source.
struct Axis {
    std::int64_t length;
    std::int64_t step;
};

std::vector<Axis> axes_of(const SplineJob& job);

/// B-splines at the distances of the values from the place, which is `x` after the middle one; the last one
/// is what is missing to 1.
inline void weigh(double x, int order, std::array<double, most_taps>& w) {
    const double rest = 1.0 - x;
    const double half = 0.5 - x;
    const auto inner_cubic = [](double y) { return (y * y * (y - 2.0) * 3.0 + 4.0) / 6.0; };
    const auto outer_quartic = [](double y) {
        return y * (y * (y * (5.0 - y) / 6.0 - 1.25) + 5.0 / 24.0) + 55.0 / 96.0;
    };
    const auto inner_quintic = [](double y) {
        const double t = y * y;
        return t * (t * (0.25 - y / 12.0) - 0.5) + 0.55;
    };
    const auto outer_quintic = [](double y) {
        return y * (y * (y * (y * (y / 24.0 - 0.375) + 1.25) - 1.75) + 0.625) + 0.425;
    };
    switch (order) {
    case 1:
        w[0] = rest;
        break;
    case 2:
        w[0] = 0.5 * half * half;
        w[1] = 0.75 - x * x;
        break;
    case 3:
        w[0] = rest * rest * rest / 6.0;
        w[1] = inner_cubic(x);
        w[2] = inner_cubic(rest);
        break;
    case 4: {
        const double square = half * half;
        w[0] = square * square / 24.0;
        w[1] = outer_quartic(1.0 + x);
        w[2] = x * x * (x * x * 0.25 - 0.625) + 115.0 / 192.0;
        w[3] = outer_quartic(rest);
        break;
    }
    default: {
        const double square = rest * rest;
        w[0] = rest * square * square / 120.0;
        w[1] = outer_quintic(x + 1.0);
        w[2] = inner_quintic(x);
        w[3] = inner_quintic(rest);
        w[4] = outer_quintic(rest + 1.0);
    }
    }
    const auto last = static_cast<std::size_t>(order);
    w[last] = 1.0;
    for (std::size_t i = 0; i < last; ++i) {
        w[last] -= w[i];
    }
}

/// The first of the values that a place is made of, and their weights, where all of them lie within the
/// array. False elsewhere, whatever the border. Most places are such: in loops, `order` is best a constant.
inline bool find_inner_taps(int order, const Axis& axis, double place, std::int64_t& begin,
                            std::array<double, most_taps>& weights) {
    if (!(place >= 0 && place <= static_cast<double>(axis.length - 1))) {
        return false;
    }
    const double shifted = order % 2 == 1 ? place : place + 0.5;
    const auto middle = static_cast<std::int64_t>(shifted); // down, as it is not negative
    const std::int64_t first = middle - order / 2;
    if (first < 0 || first + order >= axis.length) {
        return false;
    }
    begin = first * axis.step;
    if (order > 0) {
        weigh(place - static_cast<double>(middle), order, weights);
    }
    return true;
}

/// Writes the taps for a place along an axis of the source.
void find_taps(const SplineJob& job, const Axis& axis, double place, Taps& taps);

} // namespace glproc
