// Frames of another rate: of constant steps, shown or blended.
#pragma once

#include "video/source.hpp"

#include <cstdint>
#include <memory>

namespace glproc::video {

struct RateLimits {
    std::int64_t max_frames = 0;
    bool given = false; ///< by a person, who then knows of long pauses; otherwise they end a run before they
                        ///< are filled
};

/// The frames of `source` as many times a second. Frame k is what a screen shows k / rate after the first
/// frame; with `blend` the two frames about that time, weighted by how near they are. Codes are weighted in
/// parts of 65536 and rounded half up. Throws Error(input) where they become too many.
std::unique_ptr<FrameSource> with_rate(std::unique_ptr<FrameSource> source, AVRational rate, bool blend,
                                       const RateLimits& limits);

} // namespace glproc::video
