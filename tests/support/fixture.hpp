// The OpenGL contexts of a test program.
#pragma once

#include "glproc/gl/context.hpp"
#include "support/environment.hpp"
#include "support/temp_dir.hpp"

#include <functional>
#include <map>
#include <string>

namespace glproc::test {

/// The context that the tests of a program share, made when first asked for: a debug context without timing,
/// on the back end and device that GLPROC_BACKEND and GLPROC_DEVICE name. Its renderer is printed once, to
/// stderr.
///
/// It is destroyed after the last test, while main() still runs: drivers free their own threads and tables in
/// exit handlers, and a context that ends among those finds them half gone.
Context& gpu();

/// The options that gpu() is made with.
ContextOptions gpu_options();

/// The same on EGL, where any thread may make a context.
ContextOptions second_context_options();

/// Makes a context of its own and gives it to `work`, on a thread of its own: a second context on the thread
/// of gpu() would become current in its place. Waits, and throws what `work` threw. `work` may use no Catch2
/// macro while tests run on another thread.
void with_second_context(const ContextOptions& options, const std::function<void(Context&)>& work);

/// A folder with the kernels' lib/ (of GLPROC_GLSL_DIR where it is set, else as built in) and the given
/// kernels. During the scope contexts read from it.
class ScopedKernels {
  public:
    explicit ScopedKernels(const std::map<std::string, std::string>& kernels)
        : ScopedKernels(kernels, default_glsl_reader()) {}

  private:
    ScopedKernels(const std::map<std::string, std::string>& kernels, const GlslReader& lib);

    TempDir folder_;
    ScopedVariable variable_;
};

} // namespace glproc::test
