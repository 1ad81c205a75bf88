#include "glproc/gl/one_picture.hpp"

#include "glproc/gl/context_state.hpp"
#include "glproc/gl/tuning.hpp"

namespace glproc {

void expect_one_picture(Context& gpu) {
    if (tuned_variant(gpu.device(), "programs of one picture") != "soon") {
        return;
    }
    Context::State& state = gpu.state();
    const auto ask_for_threads = state.surface->get_proc()("glMaxShaderCompilerThreadsKHR");
    state.programs.make_soon(reinterpret_cast<AskForThreads>(ask_for_threads)); // NOLINT: of that type
    state.transfer->expect_few();
}

} // namespace glproc
