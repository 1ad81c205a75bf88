#include "glproc/ops/histogram/bench.hpp"

#include "glproc/ops/histogram/count.hpp"

#include <memory>
#include <numeric>
#include <optional>

#include <fmt/format.h>

namespace glproc {

namespace {

std::string difference(const std::vector<ChannelCounts>& got, const std::vector<ChannelCounts>& expected) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const std::string_view channel = name_of(expected[i].channel);
        for (std::size_t bin = 0; bin < expected[i].counts.size(); ++bin) {
            if (got[i].counts[bin] != expected[i].counts[bin]) {
                return fmt::format("bin {} of {} counts {}, not {}", bin, channel, got[i].counts[bin],
                                   expected[i].counts[bin]);
            }
        }
        if (got[i].outside != expected[i].outside || got[i].nan != expected[i].nan) {
            return fmt::format("{} counts {} values outside and {} NaN, not {} and {}", channel,
                               got[i].outside, got[i].nan, expected[i].outside, expected[i].nan);
        }
    }
    return {};
}

double values_counted(const std::vector<ChannelCounts>& channels) {
    double sum = 0;
    for (const ChannelCounts& one : channels) {
        sum +=
            static_cast<double>(std::accumulate(one.counts.begin(), one.counts.end(), one.outside + one.nan));
    }
    return sum;
}

double least_bytes(const Histogram& op, const Image& image) {
    return static_cast<double>(image.bytes().size()) +
           static_cast<double>(op.channels.size()) * op.bins * sizeof(std::uint32_t);
}

Workload workload_on_cpu(const Histogram& op, const ImageInput& input) {
    const auto counts = std::make_shared<std::vector<ChannelCounts>>();
    return {.run = [=] { *counts = count_on_cpu(input.pixels, op); },
            .check = [=] { return Verdict{difference(*counts, count_on_cpu(input.pixels, op))}; },
            .least_bytes = least_bytes(op, input.pixels),
            .on_cpu = true};
}

/// `run` counts, the counts stay on the GPU.
Workload workload_on_gpu(const Histogram& op, const ImageInput& input, std::function<Buffer()> run,
                         bool may_lose) {
    const auto buffer = std::make_shared<std::optional<Buffer>>();
    return {.run = [buffer, run = std::move(run)] { buffer->emplace(run()); },
            .check =
                [=] {
                    const auto counts = read_counts(buffer->value(), input.image.form(), op);
                    if (may_lose) {
                        const double pixels = double(input.pixels.width()) * input.pixels.height();
                        const double all = pixels * static_cast<double>(op.channels.size());
                        return Verdict{.lost = 1 - values_counted(counts) / all};
                    }
                    return Verdict{difference(counts, count_on_cpu(input.pixels, op))};
                },
            .least_bytes = least_bytes(op, input.pixels)};
}

} // namespace

Workload histogram_workload(const Histogram& asked, Context& gpu, const ImageInput& input) {
    check_histogram(asked, input.image.form());
    Histogram op = asked;
    if (op.variant == HistogramVariant::automatic) {
        op.variant = tuned_histogram(gpu.device());
    }
    if (op.variant == HistogramVariant::cpu) {
        return workload_on_cpu(op, input);
    }
    return workload_on_gpu(
        op, input, [op, &gpu, input] { return count_on_gpu_buffer(gpu, input.image, op); }, false);
}

Workload racy_workload(const Histogram& op, Context& gpu, const ImageInput& input) {
    check_histogram(op, input.image.form());
    return workload_on_gpu(
        op, input, [op, &gpu, input] { return count_racily(gpu, input.image, op); }, true);
}

BenchInfo histogram_bench() {
    const std::string size = "2448x1505";
    return {.size = size,
            .ladders = {{.title = "Histogram of a random 2448x1505 RGBA8 image in 256 bins, ms",
                         .columns = {{"luma", size, {{"channels", "luma"}}},
                                     {"r, g, b, luma", size, {{"channels", "r,g,b,luma"}}}},
                         .names = {{"cpu", "CPU loop"},
                                   {"serial", "one invocation"},
                                   {"global_atomic", "one atomic addition per pixel"},
                                   {"shared_sum", "shared + one-group sum"},
                                   {"shared_reduce", "shared + reduce"},
                                   {"fused", "ours"},
                                   {"racy", "a race, without atomics"}}}}};
}

} // namespace glproc
