// The command `info` of pictures.
#pragma once

#include "cli/arguments.hpp"
#include "cli/settings.hpp"

namespace glproc::cli {

/// Prints what each picture file is, from its header. One that cannot be read does not stop the rest: returns
/// the exit status of the first failure, or 0.
int describe_pictures(const Arguments& arguments, const Settings& settings);

} // namespace glproc::cli
