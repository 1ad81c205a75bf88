// The end of the program without the way out.
#pragma once

#include "glproc/gl/context.hpp"

namespace glproc::cli {

/// Whether a process that used this device may end with its context alive. NVIDIA's driver takes 28 ms to end
/// a context and its display, and the kernel less to take them away. Mesa's drivers write the programs that
/// they compiled to a cache on a thread that only the end of the display waits for, and that end takes 1 ms.
bool may_leave(const DeviceInfo& device);

/// The same of a process that used none.
bool may_leave();

/// Ends the process without destroying anything. What was written is with the kernel already: the program
/// keeps nothing in buffers of stdio.
[[noreturn]] void leave(int status);

} // namespace glproc::cli
