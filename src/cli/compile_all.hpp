// The command `info --compile`.
#pragma once

#include "cli/settings.hpp"

namespace glproc::cli {

/// Runs every operation once on pictures of each depth and number of channels, so that the store has its programs, compiled
/// and compared with their reference. Prints how many there are, or that this renderer's are not stored.
void compile_all(const Settings& settings);

} // namespace glproc::cli
