// Which operations of the registry also work on the frames around each frame of a video.
#pragma once

#include "glproc/op/over_time.hpp"

namespace glproc {

/// Null for all others.
const OverTime* over_time_of(const OpInfo& op);

} // namespace glproc
