// The command `selftest`.
#pragma once

#include "cli/arguments.hpp"
#include "cli/settings.hpp"
#include "glproc/gl/context.hpp"

#include <optional>
#include <string>

namespace glproc::cli {

/// Every operation by every method on pictures of every kind, compared with the references. Returns the exit status: 1 where
/// something is wrong.
int self_test(const Arguments& arguments, const Settings& settings);

/// What the last self-test on this driver found, in a line.
std::optional<std::string> last_self_test(const DeviceInfo& device);

} // namespace glproc::cli
