#include "cli/bench/measure.hpp"

#include "glproc/base/clock.hpp"
#include "glproc/base/error.hpp"
#include "glproc/gl/steady.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include <fmt/format.h>

namespace glproc::cli {

namespace {

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

/// How long a batch is, and how long batches may take to agree, in milliseconds. If they do not agree on a
/// processor, other programs are the cause, and no warm-up helps.
struct Patience {
    double batch;
    double most;
};
constexpr Patience of_gpu{200, 10000};
constexpr Patience of_cpu{20, 600};

/// Runs for as long as a batch takes.
class Batch {
  public:
    Batch(Context& gpu, const Workload& workload, std::optional<double> seconds)
        : gpu_(gpu), workload_(workload),
          patience_(workload.on_cpu || gpu.device().software ? of_cpu : of_gpu) {
        if (seconds) { // of which five batches that must agree take half
            patience_ = {std::min(patience_.batch, *seconds * 100), *seconds * 1000};
        }
    }

    RunTimes operator()() {
        RunTimes all;
        const Clock::time_point start = Clock::now();
        do {
            const RunTimes some =
                workload_.on_cpu ? time_on_cpu(runs_, workload_) : gpu_.time(runs_, workload_.run);
            all.milliseconds.insert(all.milliseconds.end(), some.milliseconds.begin(),
                                    some.milliseconds.end());
            all.wall_milliseconds += some.wall_milliseconds * static_cast<double>(some.milliseconds.size());
            all.method = some.method;
            // At once as many runs as make a quarter of a batch; the timers of more would cost too much
            // themselves.
            const double run = std::max(median_of(some.milliseconds), 1e-6);
            runs_ = static_cast<int>(std::clamp(patience_.batch / 4 / run, 1.0, 25.0));
        } while (milliseconds_since(start) < patience_.batch);
        all.wall_milliseconds /= static_cast<double>(all.milliseconds.size());
        return all;
    }
    double patience() const { return patience_.most; }

  private:
    Context& gpu_;
    const Workload& workload_;
    Patience patience_;
    int runs_ = 1;
};

} // namespace

Measured measure(Context& gpu, const OpInfo& op, const BenchVariant& variant, const Operation& operation,
                 const OpInput& input, std::optional<double> seconds) {
    Measured result{.name = variant.name};
    if (const auto why = variant.unavailable(operation, gpu, input)) {
        result.not_run = *why;
        return result;
    }
    const Workload workload = variant.make(operation, gpu, input);
    workload.run();
    result.verdict = workload.check();
    if (!result.verdict.wrong.empty()) {
        throw Error(ErrorCode::operation,
                    fmt::format("{} variant {} is wrong on {}: {}", op.name, variant.name,
                                gpu.device().renderer, result.verdict.wrong),
                    "only correct results are timed");
    }
    Batch batch(gpu, workload, seconds);
    const SteadyTimes times = time_until_steady(std::ref(batch), batch.patience());
    const auto [least, most] = std::minmax_element(times.milliseconds.begin(), times.milliseconds.end());
    result.median = median_of(times.milliseconds);
    result.least = *least;
    result.most = *most;
    result.spread = times.spread;
    result.steady = times.steady;
    result.wall = times.wall_milliseconds;
    result.gbps = workload.least_bytes / result.median * 1e-6;
    result.timer = times.method;
    return result;
}

} // namespace glproc::cli
