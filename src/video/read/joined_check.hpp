// Whether videos can follow each other, and if not, the call that changes that.
#pragma once

#include "video/read/video_reader.hpp"

#include <string>

namespace glproc::video {

/// Throws Error(input) where the frames of `video` are not as those of the first one.
void check_frames(const VideoReader& first, const VideoReader& video);

/// A hint: what gives them sound of one form. AAC is what every encoder writes alike. `a` is of the first
/// video.
std::string way_to_sound(const VideoReader& first, const VideoReader& video, const AVCodecParameters& a,
                         const AVCodecParameters& b);

} // namespace glproc::video
