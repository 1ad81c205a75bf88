#pragma once

#include <functional>

namespace glproc::cli {

/// Claims the standard streams and the signals, runs, and turns whatever was thrown into a message and an
/// exit status: the whole of a program's main().
int run_guarded(const std::function<int()>& run);

} // namespace glproc::cli
