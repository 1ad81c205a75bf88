// --dry-run: what a call would do, and what it would refuse.
#pragma once

#include "cli/arguments.hpp"
#include "cli/many/output_names.hpp"
#include "cli/many/picture_log.hpp"
#include "job/picture/call.hpp"

#include <vector>

namespace glproc::cli {

/// Lists what would be done, and says what would be refused before any work. Returns the status of that.
/// `log` tells what was done before, where there is one.
int tell_errands(const Arguments& arguments, const Call& call, const std::vector<Errand>& errands,
                 const PictureLog* log);

} // namespace glproc::cli
