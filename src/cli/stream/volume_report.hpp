// --volume of an operation that makes reports.
#pragma once

#include "cli/arguments.hpp"
#include "cli/settings.hpp"

namespace glproc::cli {

/// Whether the call asks for a report of a volume.
bool reports_on_volume(const Arguments& arguments);

/// Prints it. Throws Error.
void report_on_volume(const Arguments& arguments, const Settings& settings);

} // namespace glproc::cli
