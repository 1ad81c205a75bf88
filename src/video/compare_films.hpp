// `glproc compare` of two videos: how much each pair of frames differs.
#pragma once

#include "cli/arguments.hpp"
#include "cli/settings.hpp"

namespace glproc::video {

/// Returns the exit status. Throws Error.
int compare_films(const cli::Arguments& arguments, const cli::Settings& settings);

} // namespace glproc::video
