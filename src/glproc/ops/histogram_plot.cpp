#include "glproc/ops/histogram_plot.hpp"

#include "glproc/ops/histogram_count.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
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

PixelSize size_of(const HistogramPlot& plot) {
    constexpr int default_height = 100;
    const PixelSize size = plot.size.value_or(
        PixelSize{std::min(plot.histogram.bins, static_cast<int>(plot_size_limit.high)), default_height});
    check_limit("plot width", size.width, plot_size_limit);
    check_limit("plot height", size.height, plot_size_limit);
    return size;
}

/// What both passes are told.
struct PlotJob {
    Context& gpu;
    const std::vector<HistogramChannel>& channels;
    CountedSet counted;
    std::uint32_t pixels; ///< of the image
    std::uint32_t bins;
    PixelSize panel;

    std::uint32_t columns() const { return std::min(bins, static_cast<std::uint32_t>(panel.width)); }
    std::uint32_t width() const { return static_cast<std::uint32_t>(counted.size()); }

    /// Where the channel stands among those counted, or width() where it is not drawn.
    std::uint32_t place(HistogramChannel channel) const {
        const bool drawn = std::find(channels.begin(), channels.end(), channel) != channels.end();
        return drawn ? static_cast<std::uint32_t>(counted.place(channel)) : width();
    }
};

/// The largest counts, of each column and of all.
Buffer find_largest(const PlotJob& job, const Buffer& counts) {
    const std::size_t slots = (std::size_t{job.columns()} + 1) * job.width();
    Buffer columns = job.gpu.make_buffer(slots * sizeof(std::uint32_t), "plot columns");
    columns.fill(0);
    job.gpu.pass("histogram.plot.columns", "histogram_plot_columns.comp")
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
    job.gpu.pass("histogram.plot.draw", "histogram_plot_draw.comp")
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

} // namespace

GpuImage HistogramPlot::draw(Context& gpu, const Form& image, const Buffer& counts) const {
    const PlotJob job{
        .gpu = gpu,
        .channels = histogram.channels,
        .counted = CountedSet(image, histogram.channels),
        .pixels = static_cast<std::uint32_t>((std::int64_t{image.width} * image.height) >> plot_shift(image)),
        .bins = static_cast<std::uint32_t>(histogram.bins),
        .panel = size_of(*this)};
    const std::vector<Panel> panels = panels_of(histogram.channels);
    GpuImage plot = gpu.make_image(
        {job.panel.width, job.panel.height * static_cast<int>(panels.size()), 3, Depth::u8}, "plot");
    const Buffer columns = find_largest(job, counts);
    int top = 0;
    for (const Panel& panel : panels) {
        draw_panel(job, columns, panel, top, plot);
        top += job.panel.height;
    }
    return plot;
}

GpuImage HistogramPlot::operator()(Context& gpu, const GpuImage& image) const {
    check_histogram(histogram, image.form());
    size_of(*this);
    return draw(gpu, image.form(), count_on_gpu_buffer(gpu, image, histogram));
}

} // namespace glproc
