// Times that no longer change.
#pragma once

#include "glproc/gl/timer.hpp"

#include <functional>
#include <string>
#include <vector>

namespace glproc {

/// Batches of runs, and whether they agree.
struct SteadyTimes {
    std::vector<double> milliseconds; ///< of each run of the last batches
    double wall_milliseconds = 0;     ///< per run of these batches, including all the work of the CPU
    /// How far apart the medians of these batches are: the largest minus the smallest, as a share of the
    /// middle one.
    double spread = 0;
    bool steady = false; ///< whether the spread is small
    std::string method;
};

/// Calls `batch`, which runs the same work each time, until the medians of the last few batches agree within
/// 3 %, and at least that many times. Clocks rise under load: a GPU that rested begins at a fraction of its
/// full clock. Gives up after `patience` milliseconds of work by the wall clock, and then says that they did
/// not agree.
SteadyTimes time_until_steady(const std::function<RunTimes()>& batch, double patience);

/// The median.
double median_of(std::vector<double> values);

} // namespace glproc
