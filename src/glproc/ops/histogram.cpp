#include "glproc/ops/histogram.hpp"

#include "glproc/op/describe.hpp"
#include "glproc/ops/histogram/bench.hpp"
#include "glproc/ops/histogram/count.hpp"
#include "glproc/ops/histogram/plot.hpp"
#include "glproc/ops/histogram/report.hpp"
#include "glproc/ops/histogram/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace glproc {

/// Like any list of names, and "rgb" for "r,g,b".
template <>
struct FieldText<std::vector<HistogramChannel>> {
    using One = FieldText<HistogramChannel>;
    static std::vector<HistogramChannel> parse(const FieldContext& c, std::string_view text) {
        const bool is_letters = !text.empty() && text.find_first_not_of("rgba") == std::string_view::npos;
        std::vector<HistogramChannel> channels;
        const std::vector<std::string_view> parts = split_list(text);
        for (std::size_t i = 0; i < (is_letters ? text.size() : parts.size()); ++i) {
            const std::string_view part = is_letters ? text.substr(i, 1) : parts[i];
            const HistogramChannel channel = One::parse(c, part);
            if (std::find(channels.begin(), channels.end(), channel) != channels.end()) {
                refuse_twice(c, text, part);
            }
            channels.push_back(channel);
        }
        return channels;
    }
    static std::string print(const std::vector<HistogramChannel>& channels) {
        std::string text;
        for (const HistogramChannel channel : channels) {
            text += text.empty() ? "" : ",";
            text += name_of(channel);
        }
        return text;
    }
    static std::string range(const Limit&) { return "any of " + join(One::names(), ',') + ", or rgb"; }
    static std::vector<Choice> choices() { return One::choices(); }
};

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

/// The histogram as the command line asks for it: with or without a plot. Settings that depend on the picture
/// are left open.
struct HistogramCall : Histogram {
    std::optional<int> asked_bins;
    std::optional<Interval> asked_range;
    PictureFile plot;
    std::optional<PixelSize> plot_size;
    PlotStyle plot_style = PlotStyle::figure;
    PlotScale plot_scale = PlotScale::common;
    bool plot_log = false;

    /// How many rows a terminal gets if --bins is not given.
    int terminal_rows() const { return asked_bins ? 0 : 32; }

    /// Throws Error(usage) for options that do not go together.
    void check_plot() const {
        const bool seed = plot_style == PlotStyle::seed;
        if (seed && plot.is_drawing()) {
            throw Error(ErrorCode::usage, "--plot-style columns draws pixels, which SVG cannot hold",
                        "name an image file, such as plot.png");
        }
        if (seed && (plot_log || plot_scale == PlotScale::each)) {
            throw Error(ErrorCode::usage, fmt::format("{} has no effect with --plot-style columns",
                                                      plot_log ? "--plot-log" : "--plot-scale each"));
        }
        if (plot_log && plot_scale == PlotScale::each) {
            throw Error(ErrorCode::usage, "--plot-log and --plot-scale each cannot be given together");
        }
    }

    /// Throws Error(usage) if a range was given for an integer image, whose range is always the range of its
    /// codes.
    Histogram of(const Form& form) const {
        check_plot();
        Histogram histogram = *this;
        histogram.bins = asked_bins.value_or(histogram.bins);
        if (form.depth == Depth::f32) {
            histogram.range = asked_range.value_or(histogram.range);
        } else if (const Interval codes{0, max_code(form.depth)}; asked_range.value_or(codes) != codes) {
            throw Error(ErrorCode::usage,
                        fmt::format("--range {} is for float images; this one has {} bits a channel",
                                    FieldText<Interval>::print(*asked_range), static_cast<int>(form.depth)),
                        fmt::format("integer images are counted over all their values, {}: leave out --range",
                                    FieldText<Interval>::print(codes)));
        }
        return histogram;
    }
};

/// Draws the plot that was asked for.
void plot_into(Report& report, const HistogramCall& call, const Histogram& histogram, Context& gpu,
               const Form& form, const std::vector<ChannelCounts>& counts) {
    const HistogramPlot plot{.histogram = histogram,
                             .size = call.plot_size,
                             .style = call.plot_style,
                             .scale = call.plot_scale,
                             .logarithmic = call.plot_log};
    const Buffer slots = upload_counts(gpu, form, histogram, counts);
    if (!call.plot.is_drawing()) {
        report.picture = plot.draw(gpu, form, slots);
        return;
    }
    report.drawing = plot.svg(gpu, form, slots);
}

SweepPlan plan(const HistogramCall& call, const Form& form) {
    const Histogram histogram = call.of(form);
    SweepPlan plan = histogram_plan(histogram, form, true);
    plan.report = [call, histogram, form](Context& gpu, SweepState& last, const std::string& name) {
        auto& sweep = static_cast<HistogramSweep&>(last);
        Report report = histogram_report(name, form, histogram, sweep.counts(), sweep.statistics(), call.terminal_rows());
        if (!call.plot.path.empty()) {
            plot_into(report, call, histogram, gpu, form, sweep.counts());
        }
        return report;
    };
    return plan;
}

/// A plot is drawn by a device, and anyone who names a method wants a device.
bool needs_no_device(const HistogramCall& call) {
    return call.plot.path.empty() && call.variant == HistogramVariant::automatic;
}

Report measure(const HistogramCall& call, const std::string& name, const Image& pixels) {
    const Histogram histogram = call.of(pixels.form());
    check_histogram(histogram, pixels.form());
    return histogram_report(name, pixels, histogram, count_on_cpu(pixels, histogram), call.terminal_rows());
}

} // namespace

void check_histogram(const Histogram& histogram, const Form& image) {
    check_limit("bins", histogram.bins, bins_limit);
    check_channels(histogram.channels, image.has_alpha());
    if (image.depth == Depth::f32) {
        float_bins(histogram.range, histogram.bins);
    } else if (histogram.range != Interval{0, 1}) {
        throw Error(ErrorCode::usage,
                    fmt::format("--range {} is for float images; this one has {} bits a channel",
                                FieldText<Interval>::print(histogram.range), static_cast<int>(image.depth)),
                    "integer images are counted over 0,1: leave out --range");
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
    return std::move(run_sweeps(gpu, histogram_plan(*this, image.form()), image).last<HistogramSweep>().counts());
}

std::vector<ChannelCounts> Histogram::operator()(Context& gpu, const RowSource& from,
                                                 const TileProgress& progress) const {
    const SweepPlan plan = histogram_plan(*this, from.form);
    return std::move(run_sweeps(gpu, plan, from, nullptr, progress).last<HistogramSweep>().counts());
}

const OpInfo& histogram_info() {
    static const OpInfo info =
        Describe<HistogramCall>("histogram", "count how many pixels have each value",
                                "in.png --bins 64 --channels r,g,b")
            .example("Draw red, green and blue as SVG", "photo.jpg --channels rgb --plot plot.svg")
            .example("Write the counts as CSV", "photo.jpg --format csv")
            .found_by({"calchist"}, "IN")
            .found_by({"-unique-colors"})
            .cost({.shared = 6, .one_core = 2})
            .field("bins", &HistogramCall::asked_bins,
                   {.value = "N",
                    .limit = bins_limit,
                    .help = "the number of equal bins; without it, a terminal shows 32 rows",
                    .standard = FieldText<int>::print(Histogram{}.bins)})
            .field("channels", &Histogram::channels,
                   {.value = "luma,r,g,b,a",
                    .help = "the channels to count; in a grey image luma, r, g and b all mean its grey"})
            .field("luma", &Histogram::luma,
                   {.value = "rec709|rec601", .help = "how r, g and b are weighted in luma"})
            .field("range", &HistogramCall::asked_range,
                   {.value = "LO,HI",
                    .help = "the values of a float image to count in bins; values outside and NaN are "
                            "counted separately",
                    .standard = FieldText<Interval>::print(Histogram{}.range)})
            .toggle("hidden", static_cast<bool HistogramCall::*>(&Histogram::hidden), true,
                    {.help = "also count the colours of fully transparent pixels"})
            .field("method", &Histogram::variant,
                   {.value = "M", .help = "the algorithm; the counts are always the same", .alias = "variant"})
            .field("plot", &HistogramCall::plot,
                   {.value = "FILE", .help = "also draw the histogram, as .png or .svg"})
            .field("plot-size", &HistogramCall::plot_size,
                   {.value = "WxH",
                    .unit = "pixels",
                    .limit = plot_size_limit,
                    .help = "the size of the plot, or of each panel in style columns",
                    .needs = "plot",
                    .standard = "640x400"})
            .field("plot-style", &HistogramCall::plot_style,
                   {.value = "S", .help = "how the plot looks", .needs = "plot"})
            .field("plot-scale", &HistogramCall::plot_scale,
                   {.value = "S", .help = "the scale of each channel", .needs = "plot"})
            .toggle("plot-log", &HistogramCall::plot_log, true,
                    {.help = "draw the counts on a logarithmic axis", .needs = "plot"})
            .bench<ImageInput>(
                "method", &Histogram::variant, histogram_bench(),
                [](const Histogram&, Context&, const ImageInput&) { return std::optional<std::string>(); },
                [](const HistogramCall& call, Context& gpu, const ImageInput& input) {
                    return histogram_workload(call.of(input.image.form()), gpu, input);
                })
            .bench_also<ImageInput>("racy",
                                    "as global_atomic without the atomic: how many counts a race loses",
                                    [](const HistogramCall& call, Context& gpu, const ImageInput& input) {
                                        return racy_workload(call.of(input.image.form()), gpu, input);
                                    })
            .by_processor(&needs_no_device, &measure)
            .runs(Product::report, &plan);
    return info;
}

} // namespace glproc
