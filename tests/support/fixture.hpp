// The OpenGL contexts of a test program.
#pragma once

#include "glproc/gl/context.hpp"

#include <functional>

namespace glproc::test {

/// The context that the tests of a program share, made when first asked for: a debug context without timing, on the
/// back end and device that GLPROC_BACKEND and GLPROC_DEVICE name. Its renderer is printed once, to stderr.
///
/// It goes when the last test is over, while main() still runs: drivers put away their own threads and tables in exit
/// handlers, and a context that dies among those finds them half gone.
Context& gpu();

/// The options that gpu() is made with.
ContextOptions gpu_options();

/// Makes a context of its own and gives it to `work`, on a thread of its own: a second context on the thread of gpu()
/// would become current in its place. Waits, and throws what `work` threw. `work` may use no Catch2 macro while tests
/// run on another thread.
void with_second_context(const ContextOptions& options, const std::function<void(Context&)>& work);

} // namespace glproc::test
