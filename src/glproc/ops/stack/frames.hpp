// A stack of the frames around each frame of a video.
#pragma once

#include "glproc/op/over_time.hpp"
#include "glproc/ops/stack.hpp"

namespace glproc {

/// What `op` makes of a window of `frames`. Where the video begins or ends its first or last frame stands for those that are
/// missing, so that sums and weights are of as many frames everywhere.
GpuImage stack_frames(Context& gpu, const Stack& op, int frames, const FrameWindow& window);

const OverTime& stack_over_time();

} // namespace glproc
