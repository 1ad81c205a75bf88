#include "glproc/gl/steady.hpp"
#include "glproc/ops/blur.hpp"
#include "support/catch.hpp"
#include "support/fixture.hpp"
#include "support/inputs.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <thread>
#include <utility>
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
    }
}

TEST_CASE("a context without timing keeps no times") {
    Blur{.sigma = 1}(gpu(), gpu().upload(random_image({8, 8, 1, Depth::u8})));
    CHECK(gpu().pass_times().empty());
    CHECK(gpu().timer_method() == "off");
}

TEST_CASE("runs are timed one by one, by the device's clock or around glFinish") {
    const GpuImage small = gpu().upload(random_image({16, 16, 4, Depth::u8}));
    const Blur blur{.sigma = 2, .method = FilterMethod::direct};
    blur(gpu(), small); // the first dispatch of a program may compile it
    int calls = 0;
    const auto start = std::chrono::steady_clock::now();
    const RunTimes times = gpu().time(7, [&] {
        blur(gpu(), small);
        if (++calls == 4) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
    });
    const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - start;
    CHECK(calls == (gpu().device().software ? 7 : 8)); // queued work begins with one that is not timed
    REQUIRE(times.milliseconds.size() == 7);
    double sum = 0;
    for (const double milliseconds : times.milliseconds) {
        CHECK(milliseconds > 0);
        sum += milliseconds;
    }
    CHECK(sum <= wall.count());
    CHECK(times.wall_milliseconds > 0);
    CHECK(times.wall_milliseconds * 7 <= wall.count());
    if (gpu().device().software) {
        CHECK(times.method == "wall clock around glFinish");
        CHECK(times.milliseconds[3] >= 20);
    } else {
        CHECK(times.method == "GL_TIMESTAMP");
    }
}

TEST_CASE("passes are timed one by one") {
    Timer timer(true);
    timer.measure("nothing", [] {});
    timer.measure("long", [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); });
    const std::vector<PassTime> times = timer.times();
    REQUIRE(times.size() == 2);
    CHECK(times[0].label == "nothing");
    CHECK(times[1].label == "long");
    if (gpu().device().software) { // whose times are the processor's
        CHECK(times[1].milliseconds >= 20);
    }
}

TEST_CASE("a pass of a large picture takes longer than that of a small one", "[.clock]") {
    const Timing timing = time_blurs();
    REQUIRE(timing.passes.size() == 4); // 1367 times the pixels
    CHECK(timing.passes[2].milliseconds > timing.passes[0].milliseconds);
    CHECK(timing.passes[3].milliseconds > timing.passes[1].milliseconds);
}

TEST_CASE("time that runs take does not count work queued before them", "[.clock]") {
    const GpuImage large = gpu().upload(random_image({1500, 1000, 4, Depth::u8}));
    const Blur blur{.sigma = 3, .method = FilterMethod::direct};
    const double long_one = gpu().time(1, [&] { blur(gpu(), large); }).wall_milliseconds;
    for (int i = 0; i < 5; ++i) {
        blur(gpu(), large);
    }
    CHECK(gpu().time(1, [] {}).wall_milliseconds < long_one);
}

namespace {

/// Batches of three runs each, as a clock might give them: their medians one after the other, the last for ever.
class Clock {
  public:
    explicit Clock(std::vector<double> medians) : medians_(std::move(medians)) {}
    RunTimes operator()() {
        const double median = medians_[std::min(batches, medians_.size() - 1)];
        ++batches;
        return {{0.9 * median, median, 1.5 * median}, 2 * median, "test"};
    }
    std::size_t batches = 0;

  private:
    std::vector<double> medians_;
};

/// What is found within a patience of 1000 ms.
SteadyTimes settle(Clock& clock) {
    return time_until_steady(std::ref(clock), 1000);
}

} // namespace

TEST_CASE("times count once the last five batches agree") {
    Clock clock({6, 6, 5.9, 4, 2, 1.02, 1.01, 1, 1, 1});
    const SteadyTimes times = settle(clock);
    CHECK(clock.batches == 10); // not while the clock stood still at a sixth: three are too few
    CHECK(times.steady);
    CHECK(times.spread == Approx(0.02));
    CHECK(median_of(times.milliseconds) == Approx(1.0));
    CHECK(times.milliseconds.size() == 15);
    CHECK(times.wall_milliseconds == Approx(2 * 5.03 / 5));
    CHECK(times.method == "test");
}

TEST_CASE("a clock that never settles is told, after as long as patience lasts") {
    Clock clock({1, 1.1, 1, 1.1, 1, 1.1, 1, 1.1, 1, 1.1, 1, 1.1, 1, 1.1, 1, 1.1, 100});
    const SteadyTimes times = settle(clock);
    CHECK_FALSE(times.steady);
    CHECK(times.spread > 10);
    CHECK(clock.batches == 18); // 16 of 6 ms, two of 600
}

TEST_CASE("runs longer than patience are still timed five times") {
    Clock clock({5000, 5000, 5000, 5000, 5000, 1});
    const SteadyTimes times = settle(clock);
    CHECK(clock.batches == 5);
    CHECK(times.steady);
    CHECK(times.spread == 0);
}

TEST_CASE("a timer that runs for long keeps the sums of old passes, and no list without end") {
    Timer timer(true);
    const std::size_t passes = Timer::most_listed + 100;
    for (std::size_t i = 0; i < passes; ++i) {
        timer.measure(i % 2 == 0 ? "even" : "odd", [] {});
    }
    const std::vector<PassTime> times = timer.times();
    CHECK(times.size() == Timer::most_listed + 2);
    CHECK(times[0].label == "even");
    CHECK(times[1].label == "odd");
    CHECK(times[0].milliseconds >= 0);
}
