// The sweeps of `distance` where it goes in steps from neighbour to neighbour, see ops/distance/steps.hpp:
// down, up, and once more to write. Rows of nearest sites wait in between.
#pragma once

#include "glproc/op/sweep.hpp"
#include "glproc/ops/distance.hpp"

#include <vector>

namespace glproc {

/// Whether the picture is measured so: by the processor, whatever the method.
bool goes_in_steps(const Distance& op);

std::vector<Sweep> sweeps_in_steps(const Distance& op, const Form& form);

} // namespace glproc
