// One threshold for all images of a file.
#pragma once

#include "glproc/op/over_stack.hpp"
#include "glproc/ops/threshold.hpp"

namespace glproc {

/// With `stack`: the histogram of all images, which must have one depth.
const OverStack& threshold_over_stack();

} // namespace glproc
