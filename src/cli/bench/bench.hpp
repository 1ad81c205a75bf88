// The command `bench`.
#pragma once

#include "cli/arguments.hpp"
#include "cli/settings.hpp"

namespace glproc::cli {

/// Of --seconds. None is enough for a few runs.
inline constexpr Limit bench_seconds_limit{0, 3600};

/// `bench OP`: every variant of one operation with one input.
void bench_operation(const Arguments& arguments, const Settings& settings);

/// `bench`: the ladders of all operations.
void bench_all(const Arguments& arguments, const Settings& settings);

} // namespace glproc::cli
