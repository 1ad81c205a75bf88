#include "cli/measure.hpp"

#include "glproc/error.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace glproc::cli {

namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// One run, waited for.
double run_once(Context& gpu, const Workload& workload) {
    const Clock::time_point start = Clock::now();
    workload.run();
    if (!workload.on_cpu) {
        gpu.finish();
    }
    return milliseconds_since(start);
}

/// Clocks of devices and CPUs rise under load. Returns what a warm run takes.
double warm_up(Context& gpu, const Workload& workload) {
    constexpr double warm = 200; // milliseconds
    constexpr int most_runs = 1000;
    double last = 0;
    double sum = 0;
    for (int i = 0; i < most_runs && sum < warm; ++i) {
        last = run_once(gpu, workload);
        sum += last;
    }
    return last;
}

RunTimes time_on_cpu(int runs, const Workload& workload) {
    RunTimes times{{}, 0, "CPU clock"};
    for (int i = 0; i < runs; ++i) {
        const Clock::time_point start = Clock::now();
        workload.run();
        times.milliseconds.push_back(milliseconds_since(start));
    }
    times.wall_milliseconds =
        std::accumulate(times.milliseconds.begin(), times.milliseconds.end(), 0.0) / runs;
    return times;
}

double median_of(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

} // namespace

Measured measure(Context& gpu, const OpInfo& op, const BenchVariant& variant, const Operation& operation,
                 const OpInput& input) {
    Measured result{.name = variant.name};
    if (const auto why = variant.unavailable(operation, gpu, input)) {
        result.not_run = *why;
        return result;
    }
    const Workload workload = variant.make(operation, gpu, input);
    run_once(gpu, workload);
    result.verdict = workload.check();
    if (!result.verdict.wrong.empty()) {
        throw Error(ErrorCode::operation,
                    fmt::format("{} variant {} is wrong on {}: {}", op.name, variant.name,
                                gpu.device().renderer, result.verdict.wrong),
                    "a wrong result is not worth timing");
    }
    constexpr double enough = 1000; // milliseconds
    const double estimate = std::max(warm_up(gpu, workload), 1e-6);
    const int runs = static_cast<int>(std::clamp(enough / estimate, 5.0, 15.0)) / 2 * 2 + 1; // odd: a median
    const RunTimes times = workload.on_cpu ? time_on_cpu(runs, workload) : gpu.time(runs, workload.run);
    const auto [least, most] = std::minmax_element(times.milliseconds.begin(), times.milliseconds.end());
    result.median = median_of(times.milliseconds);
    result.least = *least;
    result.most = *most;
    result.wall = times.wall_milliseconds;
    result.gbps = workload.least_bytes / result.median * 1e-6;
    result.timer = times.method;
    return result;
}

} // namespace glproc::cli
