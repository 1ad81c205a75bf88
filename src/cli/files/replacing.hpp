// What a call may put its output in the place of.
#pragma once

#include "cli/arguments.hpp"
#include "job/output/output_place.hpp"

#include <string_view>

namespace glproc::cli {

/// As OutputPlace::check(). Throws Error(output) also for what --no-clobber keeps, and Error(usage) for what
/// looks like an input that would be lost.
void check_place(const OutputPlace& place, const Arguments& arguments, std::string_view product);

} // namespace glproc::cli
