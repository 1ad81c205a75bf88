// The clock that a person sees: it runs from the start of the process.
#pragma once

#include <chrono>

namespace glproc::cli {

/// When the kernel started this process, or the program that became this one. Asked first before other
/// threads run; known to 10 ms where the kernel alone says it, and to less where the processor time spent
/// since narrows that down.
std::chrono::steady_clock::time_point process_start();

} // namespace glproc::cli
