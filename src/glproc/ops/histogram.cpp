#include "glproc/ops/histogram.hpp"

#include "glproc/ops/describe.hpp"
#include "glproc/ops/histogram_bench.hpp"
#include "glproc/ops/histogram_count.hpp"
#include "glproc/ops/histogram_plot.hpp"
#include "glproc/ops/histogram_report.hpp"

#include <algorithm>
#include <cmath>
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

HistogramVariant chosen(const Histogram& histogram, const Context& gpu) {
    return histogram.variant != HistogramVariant::automatic ? histogram.variant
                                                            : tuned_histogram(gpu.device(), "histogram");
}

/// Counts, and where they lie on the GPU if that is where they were counted.
struct Counted {
    std::vector<ChannelCounts> counts;
    std::optional<Buffer> slots;
};

/// `pixels`: the image in CPU memory where it lies there already.
Counted count(const Histogram& histogram, Context& gpu, const GpuImage& image, const Image* pixels) {
    check_histogram(histogram, image);
    Histogram one_variant = histogram;
    one_variant.variant = chosen(histogram, gpu);
    if (one_variant.variant == HistogramVariant::cpu) {
        return {pixels != nullptr ? count_on_cpu(*pixels, histogram)
                                  : count_on_cpu(gpu.download(image), histogram),
                {}};
    }
    Buffer slots = count_on_gpu_buffer(gpu, image, one_variant);
    std::vector<ChannelCounts> counts = read_counts(slots, image, histogram);
    return {std::move(counts), std::move(slots)};
}

/// The histogram as the command line asks for it: with a plot, or without.
struct HistogramCall : Histogram {
    PictureFile plot;
    std::optional<PixelSize> plot_size;
};

/// Counts once, for the report and for the plot.
Report report_of(const HistogramCall& call, Context& gpu, const ImageInput& input) {
    Counted counted = count(call, gpu, input.image, &input.pixels);
    std::optional<GpuImage> plot;
    if (!call.plot.path.empty()) {
        if (!counted.slots) {
            counted.slots = upload_counts(gpu, input.image, call, counted.counts);
        }
        plot = HistogramPlot{call, call.plot_size}.draw(gpu, input.image, *counted.slots);
    }
    Report report = histogram_report(input.name, input.pixels, call, std::move(counted.counts));
    report.picture = std::move(plot);
    return report;
}

} // namespace

void check_histogram(const Histogram& histogram, const GpuImage& image) {
    check_limit("bins", histogram.bins, bins_limit);
    check_channels(histogram.channels, image.has_alpha());
    if (image.depth() == Depth::f32) {
        float_bins(histogram.range, histogram.bins);
    } else if (histogram.range != Interval{0, 1}) {
        throw Error(ErrorCode::usage,
                    fmt::format("--range {} is for float images; this one has {} bits a channel",
                                FieldText<Interval>::print(histogram.range), static_cast<int>(image.depth())),
                    "integer images are counted over 0,1: leave --range out");
    }
}

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
    return count(*this, gpu, image, nullptr).counts;
}

const OpInfo& histogram_info() {
    static const OpInfo info =
        Describe<HistogramCall>("histogram", "how many pixels have which brightness",
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
            .field("plot", &HistogramCall::plot,
                   {.value = "OUT.png",
                    .help = "also draws the counts: r, g, b and a over each other, luma below them"})
            .field("plot-size", &HistogramCall::plot_size,
                   {.value = "WxH",
                    .unit = "pixels",
                    .limit = plot_size_limit,
                    .help = "of the plot, or of each part where luma lies below others; without it a column "
                            "for each bin, 16384 at most, and 100 pixels high",
                    .needs = "plot"})
            .bench<ImageInput>(
                "variant", &Histogram::variant, histogram_bench(),
                [](const Histogram&, Context&, const ImageInput&) { return std::optional<std::string>(); },
                histogram_workload)
            .bench_also<ImageInput>(
                "racy", "as global_atomic without the atomic: how many counts a race loses", racy_workload)
            .runs(Product::report,
                  [](const HistogramCall& call, Context& gpu, const ImageInput& input) -> OpOutput {
                      return report_of(call, gpu, input);
                  });
    return info;
}

} // namespace glproc
