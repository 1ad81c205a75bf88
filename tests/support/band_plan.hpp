// Plans of sweeps in bands of chosen heights.
#pragma once

#include "glproc/op/sweep.hpp"

namespace glproc::test {

/// The plan, with bands of so many rows.
SweepPlan in_bands_of(int rows, SweepPlan plan);

} // namespace glproc::test
