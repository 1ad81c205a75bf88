#include "glproc/ops/blur.hpp"
#include "support/catch.hpp"
#include "support/fixture.hpp"
#include "support/inputs.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

struct Timing {
    std::vector<PassTime> passes;
    std::string method;
    double wall_milliseconds = 0;
    double first_compile = 0; ///< milliseconds, once every program was used
    double last_compile = 0;
    bool software = false;
};

/// A blur of a small and of a large image, timed by a context of its own.
Timing time_blurs() {
    ContextOptions options = second_context_options();
    options.timing = true;
    Timing timing;
    with_second_context(options, [&](Context& own) {
        const GpuImage small = own.upload(random_image({16, 16, 4, Depth::u8}));
        const GpuImage large = own.upload(random_image({700, 500, 4, Depth::u8}));
        const Blur blur{.sigma = 2, .method = FilterMethod::direct};
        blur(own, small); // the first dispatch of a program may compile it
        own.finish();
        timing.first_compile = own.compile_time();
        const std::size_t first = own.pass_times().size();
        const auto start = std::chrono::steady_clock::now();
        blur(own, small);
        blur(own, large);
        own.finish();
        timing.passes = own.pass_times();
        timing.passes.erase(timing.passes.begin(),
                            timing.passes.begin() + static_cast<std::ptrdiff_t>(first));
        timing.last_compile = own.compile_time();
        timing.method = own.timer_method();
        const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - start;
        timing.wall_milliseconds = wall.count();
        timing.software = own.device().software;
    });
    return timing;
}

} // namespace

TEST_CASE("a timing context times every pass, in order, by a method that it names") {
    const Timing timing = time_blurs();
    REQUIRE(timing.passes.size() == 4);
    CHECK(timing.passes[0].label == "blur.rows");
    CHECK(timing.passes[1].label == "blur.columns");
    CHECK(timing.passes[2].label == "blur.rows");
    CHECK(timing.passes[3].label == "blur.columns");
    double sum = 0;
    for (const PassTime& pass : timing.passes) {
        CHECK(pass.milliseconds > 0);
        sum += pass.milliseconds;
    }
    CHECK(timing.first_compile > 0);
    CHECK(timing.last_compile == timing.first_compile);
    CHECK(sum < timing.wall_milliseconds);
    CHECK((timing.method == "GL_TIME_ELAPSED" || timing.method == "wall clock around glFinish"));
    if (timing.software) {
        CHECK(timing.method == "wall clock around glFinish"); // its query knows nothing of compute work
        // 1367 times the pixels: whatever else the machine does, that takes longer.
        CHECK(timing.passes[2].milliseconds > timing.passes[0].milliseconds);
        CHECK(timing.passes[3].milliseconds > timing.passes[1].milliseconds);
    }
}

TEST_CASE("a context without timing keeps no times") {
    Blur{.sigma = 1}(gpu(), gpu().upload(random_image({8, 8, 1, Depth::u8})));
    CHECK(gpu().pass_times().empty());
    CHECK(gpu().timer_method() == "off");
}
