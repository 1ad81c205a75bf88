// The command `view`.
#pragma once

#include "cli/arguments.hpp"
#include "cli/settings.hpp"

namespace glproc::view {

/// Opens the window, and returns the exit status once it is closed.
int run_view(const cli::Arguments& arguments, const cli::Settings& settings);

} // namespace glproc::view
