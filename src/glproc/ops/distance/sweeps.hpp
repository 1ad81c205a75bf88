// The two sweeps of `distance`: one looks for sites, one measures. Rows of the mask wait as bits in between.
#pragma once

#include "glproc/op/sweep.hpp"
#include "glproc/ops/distance.hpp"
#include "glproc/ops/distance/cpu.hpp"
#include "glproc/ops/distance/transform.hpp"

#include <memory>

namespace glproc {

DistanceForm distance_form(const Distance& op, const Form& form);

/// Whether loops of the device's kernels come to their end: see the workaround loops_end_early.
bool has_turns_for(const Context& gpu, const Form& form);

/// Whether the processor does it: if that is the method, or is faster than the device.
bool is_for_cpu(const Context& gpu, const Distance& op, const Form& form);

SweepPlan distance_sweeps(const Distance& op, const Form& form);

/// The distances of a whole picture, by the processor; with sites if there are indices.
HostDistances measure_on_cpu(const Distance& op, const Image& picture);

} // namespace glproc
