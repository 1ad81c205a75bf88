// The values of an array that a spline is made of at a place, and their weights. See spline.hpp.
#pragma once

#include "glproc/kinds/spline.hpp"

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

/// Writes the taps for a place along an axis of the source.
void find_taps(const SplineJob& job, const Axis& axis, double place, Taps& taps);

} // namespace glproc
