#include "glproc/ops/histogram/plot.hpp"

#include "glproc/ops/histogram/count.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace glproc {

namespace {

/// The four channels of a panel; luma as all four at once, which is white.
using Panel = std::array<HistogramChannel, 4>;
constexpr Panel colour_panel{HistogramChannel::red, HistogramChannel::green, HistogramChannel::blue,
                             HistogramChannel::alpha};
constexpr Panel luma_panel{HistogramChannel::luma, HistogramChannel::luma, HistogramChannel::luma,
                           HistogramChannel::luma};

/// From top to bottom.
std::vector<Panel> panels_of(const std::vector<HistogramChannel>& channels) {
    const auto lumas = std::count(channels.begin(), channels.end(), HistogramChannel::luma);
    std::vector<Panel> panels;
    if (static_cast<std::size_t>(lumas) < channels.size()) {
        panels.push_back(colour_panel);
    }
    if (lumas > 0) {
        panels.push_back(luma_panel);
    }
    return panels;
}

PixelSize default_size(const HistogramPlot& plot) {
    return plot.style == PlotStyle::figure
               ? PixelSize{640, 400}
               : PixelSize{std::min(plot.histogram.bins, static_cast<int>(plot_size_limit.high)), 100};
}

PixelSize size_of(const HistogramPlot& plot) {
    const PixelSize size = plot.size.value_or(default_size(plot));
    check_limit("plot width", size.width, plot_size_limit);
    check_limit("plot height", size.height, plot_size_limit);
    return size;
}

/// The values that both passes get.
struct PlotJob {
    Context& gpu;
    const std::vector<HistogramChannel>& channels;
    CountedSet counted;
    std::uint32_t pixels; ///< of the image
    std::uint32_t bins;
    PixelSize panel; ///< or a figure's area
    std::uint32_t most_columns = static_cast<std::uint32_t>(plot_size_limit.high);

    std::uint32_t columns() const {
        return std::min({bins, most_columns, static_cast<std::uint32_t>(panel.width)});
    }
    std::uint32_t width() const { return static_cast<std::uint32_t>(counted.size()); }

    /// Where the channel stands among those counted, or width() where it is not drawn.
    std::uint32_t place(HistogramChannel channel) const {
        const bool drawn = std::find(channels.begin(), channels.end(), channel) != channels.end();
        return drawn ? static_cast<std::uint32_t>(counted.place(channel)) : width();
    }
};

/// The largest counts, of all bins and of each column.
Buffer find_largest(const PlotJob& job, const Buffer& counts) {
    const std::size_t slots = (std::size_t{job.columns()} + 1) * job.width();
    Buffer columns = job.gpu.make_buffer(slots * sizeof(std::uint32_t), "plot columns");
    columns.fill(0);
    job.gpu.pass("histogram.plot.columns", "histogram/plot_columns.comp")
        .reads("b_counts", counts)
        .updates("b_columns", columns)
        .set("u_bins", job.bins)
        .set("u_columns", job.columns())
        .set("u_channels", job.width())
        .over(std::int64_t{job.bins} * job.width());
    return columns;
}

void draw_panel(const PlotJob& job, const Buffer& columns, const Panel& panel, int top, GpuImage& plot) {
    Uint4 places{};
    std::transform(panel.begin(), panel.end(), places.begin(),
                   [&](HistogramChannel channel) { return job.place(channel); });
    job.gpu.pass("histogram.plot.draw", "histogram/plot_draw.comp")
        .reads("b_columns", columns)
        .writes("i_dst", plot)
        .set("u_panel", Int2{job.panel.width, job.panel.height})
        .set("u_top", top)
        .set("u_bins", job.bins)
        .set("u_columns", job.columns())
        .set("u_channels", job.width())
        .set("u_pixels", job.pixels)
        .set("u_places", places)
        .over(plot.texture().width(), job.panel.height);
}

PlotJob job_of(const HistogramPlot& plot, Context& gpu, const Form& image, const PixelSize& panel) {
    return {.gpu = gpu,
            .channels = plot.histogram.channels,
            .counted = CountedSet(image, plot.histogram.channels),
            .pixels =
                static_cast<std::uint32_t>((std::int64_t{image.width} * image.height) >> plot_shift(image)),
            .bins = static_cast<std::uint32_t>(plot.histogram.bins),
            .panel = panel};
}

GpuImage draw_seed(const HistogramPlot& plot, Context& gpu, const Form& image, const Buffer& counts) {
    const PlotJob job = job_of(plot, gpu, image, size_of(plot));
    const std::vector<Panel> panels = panels_of(plot.histogram.channels);
    GpuImage drawn = gpu.make_image(
        {job.panel.width, job.panel.height * static_cast<int>(panels.size()), 3, Depth::u8}, "plot");
    const Buffer columns = find_largest(job, counts);
    int top = 0;
    for (const Panel& panel : panels) {
        draw_panel(job, columns, panel, top, drawn);
        top += job.panel.height;
    }
    return drawn;
}

/// A figure, and the largest counts of its columns on the GPU.
struct FigureOnGpu {
    Figure figure;
    PlotJob job;
    Buffer columns;
};

/// The largest counts decide how wide the labels are. The labels decide how much of the area is left, and so
/// what a column is.
FigureOnGpu figure_of(const HistogramPlot& plot, Context& gpu, const Form& image, const Buffer& counts) {
    if (plot.logarithmic && plot.scale == PlotScale::each) {
        throw Error(ErrorCode::usage, "a logarithmic plot has one scale for all channels",
                    "leave out --plot-log or --plot-scale each");
    }
    FigureContent content{.image = image,
                          .histogram = plot.histogram,
                          .largest = {},
                          .scale = plot.scale,
                          .logarithmic = plot.logarithmic};
    PlotJob job = job_of(plot, gpu, image, size_of(plot));
    const auto largest = find_largest(job, counts).read<std::uint32_t>(job.width());
    for (const HistogramChannel channel : plot.histogram.channels) {
        content.largest.push_back(std::uint64_t{largest[job.place(channel)]} << plot_shift(image));
    }
    Figure figure = lay_out(content, job.panel);
    for (FigureChannel& channel : figure.channels) { // of counts as the GPU has them
        channel.scale *= plot.logarithmic ? 1.0 : std::exp2(plot_shift(image));
    }
    job.panel = figure.area;
    const double full = max_code(image.depth);
    if (image.depth != Depth::f32 && job.bins > full + 1) { // some bins have no code: a column for each code
        job.most_columns = static_cast<std::uint32_t>(full);
    }
    return {std::move(figure), job, find_largest(job, counts)};
}

GpuImage draw_figure(const FigureOnGpu& drawn, Context& gpu) {
    const auto& [figure, job, columns] = drawn;
    const GpuImage frame = gpu.upload(paint_frame(figure), "plot frame");
    GpuImage plot = gpu.make_image({figure.size.width, figure.size.height, 3, Depth::u8}, "plot");
    constexpr std::size_t most = 5;
    Floats places(most);
    Floats scales(most);
    Floats colours(3 * most);
    for (std::size_t i = 0; i < figure.channels.size(); ++i) {
        const FigureChannel& channel = figure.channels[i];
        places[i] = static_cast<float>(job.place(channel.channel));
        scales[i] = static_cast<float>(channel.scale);
        const std::array<double, 3> colour = figure_colour(channel.channel);
        std::transform(colour.begin(), colour.end(), colours.begin() + static_cast<std::ptrdiff_t>(3 * i),
                       [](double value) { return static_cast<float>(value); });
    }
    gpu.pass("histogram.plot.figure", "histogram/plot_figure.comp", {{"LOG", figure.logarithmic ? "1" : "0"}})
        .reads("b_columns", columns)
        .reads("i_frame", frame)
        .writes("i_dst", plot)
        .set("u_corner", figure.corner)
        .set("u_area", Int2{figure.area.width, figure.area.height})
        .set("u_columns", job.columns())
        .set("u_channels", job.width())
        .set("u_drawn", static_cast<int>(figure.channels.size()))
        .set("u_places", places)
        .set("u_scales", scales)
        .set("u_colours", colours)
        .set("u_fill", static_cast<float>(fill_opacity))
        .set("u_line", static_cast<float>(line_opacity))
        .set("u_darkness", static_cast<float>(line_darkness))
        .set("u_width", std::max(1, static_cast<int>(std::lround(figure.text_size / 12))))
        .over(plot.texture().width(), plot.height());
    return plot;
}

} // namespace

GpuImage HistogramPlot::draw(Context& gpu, const Form& image, const Buffer& counts) const {
    return style == PlotStyle::seed ? draw_seed(*this, gpu, image, counts)
                                    : draw_figure(figure_of(*this, gpu, image, counts), gpu);
}

std::string HistogramPlot::svg(Context& gpu, const Form& image, const Buffer& counts) const {
    const FigureOnGpu drawn = figure_of(*this, gpu, image, counts);
    const std::size_t width = drawn.job.width();
    const std::size_t count = drawn.job.columns();
    const auto values = drawn.columns.read<std::uint32_t>((count + 1) * width);
    std::vector<std::vector<std::uint32_t>> columns;
    for (const FigureChannel& channel : drawn.figure.channels) {
        std::vector<std::uint32_t>& one = columns.emplace_back(count);
        for (std::size_t i = 0; i < count; ++i) {
            one[i] = values[(i + 1) * width + drawn.job.place(channel.channel)];
        }
    }
    return svg_of(drawn.figure, columns);
}

GpuImage HistogramPlot::operator()(Context& gpu, const GpuImage& image) const {
    check_histogram(histogram, image.form());
    size_of(*this);
    return draw(gpu, image.form(), count_on_gpu_buffer(gpu, image, histogram));
}

} // namespace glproc
