// Thresholds that follow the neighbourhood of each pixel.
#pragma once

#include "glproc/ops/threshold.hpp"

namespace glproc {

/// The plan of a threshold with `local`. Throws Error(usage) for values out of range.
Plan local_threshold_plan(const Threshold& op, const Form& form);

} // namespace glproc
