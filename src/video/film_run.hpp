// `glproc video`: every frame through a chain of operations.
#pragma once

#include "cli/arguments.hpp"
#include "cli/settings.hpp"

namespace glproc::video {

/// Returns the exit status. Throws Error.
int run_film(const cli::Arguments& arguments, const cli::Settings& settings);

} // namespace glproc::video
