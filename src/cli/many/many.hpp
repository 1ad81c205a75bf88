// An operation on many pictures in one call: one context for all, reading and writing beside it.
#pragma once

#include "cli/arguments.hpp"
#include "cli/settings.hpp"

namespace glproc::cli {

/// Whether a call is about many pictures: several inputs, a folder or a list of them, or a flag that only
/// makes sense there.
bool names_many(const Arguments& arguments);

/// Works on all of them, and returns the exit status, that of the first failure. What is wrong with the call
/// itself is thrown before any work.
int operate_on_many(const Arguments& arguments, const Settings& settings);

} // namespace glproc::cli
