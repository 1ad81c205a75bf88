// Frames of another rate: of constant steps, shown or blended.
#pragma once

#include "video/source.hpp"

#include <cstdint>
#include <memory>

namespace glproc::video {

/// The frames of `source` as many times a second. Frame k is what a screen shows k / rate after the first frame; with `blend` the two
/// frames about that time, weighted by how near they are. Codes are weighted in parts of 65536 and rounded half up.
/// Throws Error(input) where they become more than `max_frames`.
std::unique_ptr<FrameSource> with_rate(std::unique_ptr<FrameSource> source, AVRational rate, bool blend, std::int64_t max_frames);

} // namespace glproc::video
