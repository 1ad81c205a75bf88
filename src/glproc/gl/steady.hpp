// Times that no longer change.
#pragma once

#include "glproc/gl/timer.hpp"

#include <functional>
#include <string>
#include <vector>

namespace glproc {

/// Batches of runs that agree, or do not.
struct SteadyTimes {
    std::vector<double> milliseconds; ///< of each run of the last batches
    double wall_milliseconds = 0;     ///< a run of theirs, with all that the CPU has to do for it
    /// How far the medians of these batches lie apart: the largest less the smallest, of the one in the middle.
    double spread = 0;
    bool steady = false; ///< whether that is little
    std::string method;
};

/// Calls `batch`, which runs the same work each time, until the medians of the last few batches agree within
/// 3 %, and at least that many times. Clocks rise under load: a GPU that rested begins at a fraction of its own.
/// Gives up after `patience` milliseconds of work by the wall clock, and then says that they did not agree.
SteadyTimes time_until_steady(const std::function<RunTimes()>& batch, double patience);

/// The value in the middle of some.
double median_of(std::vector<double> values);

} // namespace glproc
