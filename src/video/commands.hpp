// `glproc video`: every frame through a chain of operations.
#pragma once

#include "cli/arguments.hpp"
#include "cli/settings.hpp"

namespace glproc::video {

/// Returns the exit status. Throws Error.
int run_video(const cli::Arguments& arguments, const cli::Settings& settings);

/// Prints what each video file says of itself. One that cannot be read does not stop the rest: returns the
/// exit status of the first failure, or 0.
int describe_videos(const cli::Arguments& arguments, const cli::Settings& settings);

/// Returns the exit status. Throws Error.
int compare_videos(const cli::Arguments& arguments, const cli::Settings& settings);

} // namespace glproc::video
