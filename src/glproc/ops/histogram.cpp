#include "glproc/ops/histogram.hpp"

#include "glproc/ops/histogram_count.hpp"
#include "glproc/ops/histogram_report.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>

namespace glproc {

namespace {

constexpr Limit bins_limit{1, 65536};

void check_channels(const std::vector<HistogramChannel>& channels, bool has_alpha) {
    if (channels.empty()) {
        throw Error(ErrorCode::usage, "no channel to count", "name one or more of luma, r, g, b, a");
    }
    for (auto channel = channels.begin(); channel != channels.end(); ++channel) {
        if (std::find(channels.begin(), channel, *channel) != channel) {
            throw Error(ErrorCode::usage, fmt::format("channel {} is asked for twice", name_of(*channel)));
        }
        check_exists(*channel, has_alpha);
    }
}

void check(const Histogram& histogram, Depth depth, bool has_alpha) {
    check_limit("bins", histogram.bins, bins_limit);
    check_channels(histogram.channels, has_alpha);
    if (depth == Depth::f32) {
        float_bins(histogram.range, histogram.bins);
    } else if (histogram.range != Interval{0, 1}) {
        throw Error(ErrorCode::usage,
                    fmt::format("--range {} is for float images; this one has {} bits a channel",
                                FieldText<Interval>::print(histogram.range), static_cast<int>(depth)),
                    "integer images are counted over 0,1: leave --range out");
    }
}

HistogramVariant chosen(const Histogram& histogram, const Context& gpu) {
    return histogram.variant != HistogramVariant::automatic ? histogram.variant
                                                            : tuned_histogram(gpu.device(), "histogram");
}

/// `pixels`: the image in CPU memory where it lies there already.
std::vector<ChannelCounts> count(const Histogram& histogram, Context& gpu, const GpuImage& image,
                                 const Image* pixels) {
    check(histogram, image.depth(), image.has_alpha());
    Histogram one_variant = histogram;
    one_variant.variant = chosen(histogram, gpu);
    if (one_variant.variant == HistogramVariant::cpu) {
        return pixels != nullptr ? count_on_cpu(*pixels, histogram)
                                 : count_on_cpu(gpu.download(image), histogram);
    }
    return count_on_gpu(gpu, image, one_variant);
}

} // namespace

FloatBins float_bins(const Interval& range, int bins) {
    constexpr double largest = 1e30; // differences of such numbers are far from overflow
    const float low = without_tiny(static_cast<float>(std::clamp(range.low, -2 * largest, 2 * largest)));
    const float high = without_tiny(static_cast<float>(std::clamp(range.high, -2 * largest, 2 * largest)));
    const auto scale = static_cast<float>(bins / (double(high) - double(low)));
    if (!(std::abs(range.low) <= largest && std::abs(range.high) <= largest && low < high &&
          std::isfinite(scale))) {
        throw Error(ErrorCode::usage,
                    fmt::format("--range {} cannot be divided into bins", FieldText<Interval>::print(range)),
                    "give LO,HI with LO below HI, within -1e30 to 1e30, that differ as 32-bit floats");
    }
    return {low, high, scale};
}

std::vector<ChannelCounts> Histogram::operator()(Context& gpu, const GpuImage& image) const {
    return count(*this, gpu, image, nullptr);
}

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

double counted(const std::vector<ChannelCounts>& channels) {
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
                    const auto counts = read_counts(buffer->value(), input.image, op);
                    if (may_lose) {
                        const double pixels = double(input.pixels.width()) * input.pixels.height();
                        const double all = pixels * static_cast<double>(op.channels.size());
                        return Verdict{.lost = 1 - counted(counts) / all};
                    }
                    return Verdict{difference(counts, count_on_cpu(input.pixels, op))};
                },
            .least_bytes = least_bytes(op, input.pixels)};
}

Workload histogram_workload(const Histogram& op, Context& gpu, const ImageInput& input) {
    check(op, input.image.depth(), input.image.has_alpha());
    if (op.variant == HistogramVariant::cpu) {
        return workload_on_cpu(op, input);
    }
    return workload_on_gpu(
        op, input, [op, &gpu, input] { return count_on_gpu_buffer(gpu, input.image, op); }, false);
}

Workload racy_workload(const Histogram& op, Context& gpu, const ImageInput& input) {
    check(op, input.image.depth(), input.image.has_alpha());
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
                                   {"global_atomic", "an atomic a pixel"},
                                   {"shared_sum", "shared + one-group sum"},
                                   {"shared_reduce", "shared + reduce"},
                                   {"fused", "ours"},
                                   {"racy", "a race, without atomics"}}}}};
}

} // namespace

const OpInfo& histogram_info() {
    static const OpInfo info =
        Describe<Histogram>("histogram", "how many pixels have which brightness",
                            "in.png --bins 64 --channels r,g,b")
            .field("bins", &Histogram::bins,
                   {.value = "N", .limit = bins_limit, .help = "equal parts that the range is divided into"})
            .field("channels", &Histogram::channels,
                   {.value = "luma,r,g,b,a",
                    .help = "what is counted; luma, r, g and b of a grey image are its grey"})
            .field("luma", &Histogram::luma,
                   {.value = "rec709|rec601", .help = "the weights of r, g and b in luma"})
            .field("range", &Histogram::range,
                   {.value = "LO,HI",
                    .help = "what is divided into bins, of float images; NaN and values outside "
                            "are counted apart"})
            .field("variant", &Histogram::variant,
                   {.value = "V", .help = "how it is counted; the counts are the same"})
            .bench<ImageInput>(
                "variant", &Histogram::variant, histogram_bench(),
                [](const Histogram&, Context&, const ImageInput&) { return std::optional<std::string>(); },
                histogram_workload)
            .bench_also<ImageInput>(
                "racy", "as global_atomic without the atomic: how many counts a race loses", racy_workload)
            .runs(Product::report,
                  [](const Histogram& op, Context& gpu, const ImageInput& input) -> OpOutput {
                      return histogram_report(input.name, input.pixels, op,
                                              count(op, gpu, input.image, &input.pixels));
                  });
    return info;
}

} // namespace glproc
