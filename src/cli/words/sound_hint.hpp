// Hints are typed as they stand.
#pragma once

#include <string>
#include <vector>

namespace glproc::cli {

/// Whether a call is one that this program takes: "glproc blur a.png b.png --sigma 2". Its files need not be there.
bool would_run(const std::string& call);

/// The hint; or the help of the command, where the call that it shows would itself be refused, or would write over an input of the
/// user's call, which is `words`.
std::string sound_hint(const std::string& hint, const std::vector<std::string>& words);

} // namespace glproc::cli
