#include "glproc/gl/one_picture.hpp"

#include "glproc/gl/context_state.hpp"
#include "glproc/gl/tuning.hpp"

namespace glproc {

namespace {

constexpr auto makes_programs_soon = tuning<bool>(
    {{"nvidia", any_radius, true,
      "2448x1505 RGB8, blur of sigma 2, with an empty store: compiled in 110 ms with loops left as they are "
      "and on the driver's threads, 620 without (NVIDIA H100, driver 580.159.04, 2026-11-25)"},
     {"", any_radius, false, "Mesa's compilers decide on loops by themselves"}});

} // namespace

void expect_one_picture(Context& gpu) {
    if (!tuned(makes_programs_soon, gpu.device())) {
        return;
    }
    Context::State& state = gpu.state();
    const auto ask_for_threads = state.surface->get_proc()("glMaxShaderCompilerThreadsKHR");
    state.programs.make_soon(reinterpret_cast<AskForThreads>(ask_for_threads)); // NOLINT: of that type
    state.transfer->expect_few();
}

} // namespace glproc
