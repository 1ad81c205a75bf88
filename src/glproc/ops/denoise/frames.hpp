// Non-local means over frames of a video: similar places are searched for in the frames before and after, too.
#pragma once

#include "glproc/op/over_time.hpp"
#include "glproc/ops/denoise.hpp"

namespace glproc {

/// The own frame of the window, denoised. Weights and patches are as Denoise has them; the search goes over all frames of the window,
/// with the first one first. The own frame alone gives what `op` gives, bit for bit.
GpuImage denoise_frames(Context& gpu, const Denoise& op, const FrameWindow& window);

const OverTime& denoise_over_time();

} // namespace glproc
