// `glproc info` of videos, which glproc starts this program for.
#pragma once

#include "cli/arguments.hpp"
#include "cli/settings.hpp"

namespace glproc::video {

/// Prints what each video file says of itself. One that cannot be read does not stop the rest: returns the exit status of
/// the first failure, or 0.
int describe_films(const cli::Arguments& arguments, const cli::Settings& settings);

} // namespace glproc::video
