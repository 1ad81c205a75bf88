#pragma once

#include <functional>
#include <string>
#include <vector>

namespace glproc::cli {

/// Claims the standard streams and the signals, runs, and turns whatever was thrown into a message and an
/// exit status: the whole of a program's main(). Hints name the files among `words`, those of the call.
int run_guarded(const std::vector<std::string>& words, const std::function<int()>& run);

} // namespace glproc::cli
