// The clock of all measurements that a person waits for.
#pragma once

#include <chrono>

namespace glproc {

using Clock = std::chrono::steady_clock;

inline double milliseconds_since(Clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

} // namespace glproc
