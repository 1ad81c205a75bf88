// --deinterlace and --fps: other frames than IN has, at other times.
#pragma once

#include "cli/arguments.hpp"
#include "video/selection.hpp"
#include "video/source.hpp"

#include <memory>

namespace glproc::video {

/// The frames of a video as these flags ask for them. Throws Error(usage) where they do not go with the frames that are read.
std::unique_ptr<FrameSource> with_other_times(const cli::Arguments& arguments, const Selection& selection,
                                              std::unique_ptr<FrameSource> source);

} // namespace glproc::video
