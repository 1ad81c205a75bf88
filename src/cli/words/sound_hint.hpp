// Hints are typed as they stand.
#pragma once

#include <string>
#include <vector>

namespace glproc::cli {

/// The hint; or the help of the command, where the call that it shows would itself be refused, or would write over an input of the
/// user's call, which is `words`.
std::string sound_hint(const std::string& hint, const std::vector<std::string>& words);

} // namespace glproc::cli
