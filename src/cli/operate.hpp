// The path of one command: decode, upload, compute, download, encode.
#pragma once

#include "cli/arguments.hpp"
#include "cli/settings.hpp"

namespace glproc::cli {

/// Runs the operation of the command, and returns the exit status. Everything that can be wrong with the call
/// is found before a context is made.
int operate(const Arguments& arguments, const Settings& settings);

} // namespace glproc::cli
