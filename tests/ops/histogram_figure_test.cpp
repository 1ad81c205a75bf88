// Histograms as figures: the columns pixel by pixel against a drawing in double precision, and what stands
// around.
#include "glproc/ops/histogram/figure.hpp"

#include "glproc/ops/histogram/count.hpp"
#include "glproc/ops/histogram/plot.hpp"
#include "support/catch.hpp"
#include "support/fixture.hpp"
#include "support/inputs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

using namespace glproc;
using namespace glproc::test;

namespace {

using enum HistogramChannel;
using Channels = std::vector<HistogramChannel>;

/// The plot of an image with what it was made from.
struct Drawn {
    Drawn(const Image& image, const HistogramPlot& asked) : plot(asked) {
        const GpuImage on_gpu = gpu().upload(image);
        pixels = gpu().download(plot(gpu(), on_gpu));
        Histogram on_cpu = plot.histogram;
        on_cpu.variant = HistogramVariant::cpu;
        for (const ChannelCounts& one : on_cpu(gpu(), on_gpu)) {
            counts.push_back(one.counts);
            content.largest.push_back(*std::max_element(one.counts.begin(), one.counts.end()));
        }
        content.image = image.form();
        content.histogram = plot.histogram;
        content.scale = plot.scale;
        content.logarithmic = plot.logarithmic;
        figure = lay_out(content, plot.size.value_or(PixelSize{640, 400}));
        frame = paint_frame(figure);
        for (std::size_t channel = 0; channel < counts.size(); ++channel) {
            for (int x = 0; x < figure.area.width; ++x) {
                heights[channel].push_back(height(channel, x));
            }
        }
    }

    /// The height of a channel's column at a pixel of the area, from the definition.
    double height(std::size_t channel, int x) const {
        const auto& bins = counts[channel];
        const double full = max_code(content.image.depth);
        const bool comb = content.image.depth != Depth::f32 && double(bins.size()) > full + 1;
        const double codes = comb ? full : 65536;
        const auto columns =
            static_cast<std::size_t>(std::min({double(bins.size()), double(figure.area.width), codes}));
        x = std::clamp(x, 0, figure.area.width - 1);
        const std::size_t column =
            static_cast<std::size_t>(x) * columns / static_cast<std::size_t>(figure.area.width);
        std::uint64_t count = 0;
        for (std::size_t bin = column * bins.size() / columns; bin < (column + 1) * bins.size() / columns;
             ++bin) {
            count = std::max(count, bins[bin]);
        }
        const std::uint64_t common = *std::max_element(content.largest.begin(), content.largest.end());
        const std::uint64_t most = plot.scale == PlotScale::each ? content.largest[channel] : common;
        if (count == 0) {
            return 0;
        }
        const double share = plot.logarithmic ? std::log2(2.0 * double(count)) / std::log2(2.0 * double(most))
                                              : double(count) / double(most);
        return 0.96 * share * figure.area.height;
    }

    double covered(std::size_t channel, int x, int row) const {
        const auto column = static_cast<std::size_t>(std::clamp(x, 0, figure.area.width - 1));
        return std::clamp(heights.at(channel)[column] - row, 0.0, 1.0);
    }

    double expected(int x, int y, int c) const {
        double value = frame.at(x, y, c);
        const int column = x - figure.corner[0];
        const int row = figure.corner[1] + figure.area.height - 1 - y;
        const auto over = [&](double colour, double opacity) { value += (colour - value) * opacity; };
        if (column >= 0 && column < figure.area.width && row >= 0 && row < figure.area.height) {
            for (std::size_t i = 0; i < counts.size(); ++i) {
                const double colour = figure_colour(plot.histogram.channels[i])[static_cast<std::size_t>(c)];
                over(colour, fill_opacity * covered(i, column, row));
            }
            for (std::size_t i = 0; i < counts.size(); ++i) {
                const double colour = figure_colour(plot.histogram.channels[i])[static_cast<std::size_t>(c)];
                const double inside = std::min(
                    {covered(i, column, row + 1), covered(i, column - 1, row), covered(i, column + 1, row)});
                const double outline = std::max(covered(i, column, row) - inside, 0.0);
                over(colour * line_darkness, line_opacity * outline);
            }
        }
        over(51, frame.at(x, y, 3) / 255);
        return value;
    }

    HistogramPlot plot;
    Image pixels;
    std::vector<std::vector<std::uint64_t>> counts;
    FigureContent content;
    Figure figure;
    Image frame;
    std::map<std::size_t, std::vector<double>> heights; // of each channel, once for each column
};

/// The first pixel that is not as expected, or an empty text.
std::string difference(const Drawn& drawn) {
    for (int y = 0; y < drawn.pixels.height(); ++y) {
        for (int x = 0; x < drawn.pixels.width(); ++x) {
            for (int c = 0; c < 3; ++c) {
                const double expected = drawn.expected(x, y, c);
                if (std::abs(drawn.pixels.at(x, y, c) - expected) > 1.01) {
                    return fmt::format("({}, {}) channel {}: {} instead of {}", x, y, c,
                                       drawn.pixels.at(x, y, c), expected);
                }
            }
        }
    }
    return {};
}

Channels all_channels(const Image& image) {
    return image.has_alpha() ? Channels{luma, red, green, blue, alpha} : Channels{blue, red, luma};
}

bool overlap(double a_from, double a_to, double b_from, double b_to) {
    return a_from < b_to && b_from < a_to;
}

} // namespace

TEST_CASE("figure: every pixel, for all kinds of images, bins, scales and axes") {
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        const int channels = depth == Depth::u16 ? 3 : 4;
        for (const Image& image :
             {photo_like_image({83, 59, channels, depth}), constant_image({7, 5, channels, depth}, 0.4)}) {
            for (const int bins : {1, 16, 256, 1000, 65536}) {
                HistogramPlot plot{.histogram = {.bins = bins, .channels = all_channels(image)},
                                   .size = PixelSize{301, 203}};
                INFO(describe(image) << ", " << bins << " bins");
                CHECK(difference({image, plot}) == "");
                plot.logarithmic = true;
                CHECK(difference({image, plot}) == "");
                plot.logarithmic = false;
                plot.scale = PlotScale::each;
                CHECK(difference({image, plot}) == "");
            }
        }
    }
}

TEST_CASE("figure: sizes, and nothing to draw") {
    const Image image = photo_like_image({83, 59, 3, Depth::u8});
    for (const PixelSize& size : {PixelSize{240, 160}, PixelSize{640, 400}, PixelSize{613, 257}}) {
        const HistogramPlot plot{.histogram = {.channels = {red, green, blue}}, .size = size};
        const Drawn drawn(image, plot);
        CHECK(drawn.pixels.width() == size.width);
        CHECK(drawn.pixels.height() == size.height);
        CHECK(difference(drawn) == "");
    }
    const Image none = constant_image({7, 5, 1, Depth::f32}, std::nanf(""));
    CHECK(difference({none, {.histogram = {.bins = 4}}}) == "");
    CHECK(difference({none, {.histogram = {.bins = 4}, .logarithmic = true}}) == "");
}

TEST_CASE("figure: r, g and b share a scale unless each is asked for") {
    Image image(10, 10, 3, Depth::u8); // all of r in one bin, g in two, b in two
    for (int i = 0; i < 100; ++i) {
        image.values<std::uint8_t>()[static_cast<std::size_t>(3 * i + 1)] = i < 50 ? 0 : 255;
        image.values<std::uint8_t>()[static_cast<std::size_t>(3 * i + 2)] = i < 25 ? 0 : 255;
    }
    HistogramPlot plot{.histogram = {.bins = 2, .channels = {red, green, blue}}};
    const Drawn common(image, plot);
    CHECK(common.height(1, 0) == Approx(common.height(0, 0) / 2));
    CHECK(difference(common) == "");
    plot.scale = PlotScale::each;
    const Drawn each(image, plot);
    CHECK(each.height(1, 0) == Approx(each.height(0, 0)));
    CHECK(difference(each) == "");
}

TEST_CASE("figure: ticks are where their counts are, in the frame, and labels do not touch") {
    for (const std::uint64_t largest :
         {0ULL, 1ULL, 2ULL, 3ULL, 9ULL, 10ULL, 999ULL, 123456ULL, 3999999999ULL, 70000000000ULL}) {
        for (const bool logarithmic : {false, true}) {
            for (const PixelSize& size :
                 {PixelSize{240, 160}, PixelSize{512, 256}, PixelSize{640, 400}, PixelSize{4000, 3000}}) {
                for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
                    FigureContent content;
                    content.image = {100, 100, 3, depth};
                    content.largest = {largest};
                    content.logarithmic = logarithmic;
                    content.histogram.range = {-2.5, 7};
                    const Figure figure = lay_out(content, size);
                    INFO(largest << (logarithmic ? " log " : " ") << size.width << "x" << size.height);
                    double last = -1e9;
                    for (const FigureTick& tick : figure.x_ticks) {
                        const double width = text_width(tick.label, figure.text_size);
                        CHECK(tick.at >= figure.corner[0]);
                        CHECK(tick.at <= figure.right() + 1e-9);
                        CHECK(tick.at - width / 2 > last + 0.3 * figure.text_size);
                        CHECK(tick.at + width / 2 <= size.width);
                        last = tick.at + width / 2;
                    }
                    CHECK(figure.x_ticks.size() >= 2);
                    CHECK(!figure.y_ticks.empty());
                    for (std::size_t i = 0; i < figure.y_ticks.size(); ++i) {
                        CHECK(figure.y_ticks[i].at >= figure.corner[1]);
                        CHECK(figure.y_ticks[i].at <= figure.bottom());
                        const double half = capital_height / 2 * figure.text_size;
                        for (std::size_t j = 0; j < i; ++j) {
                            CHECK(figure.y_ticks[i].label != figure.y_ticks[j].label);
                            CHECK(!overlap(figure.y_ticks[i].at - half, figure.y_ticks[i].at + half,
                                           figure.y_ticks[j].at - half, figure.y_ticks[j].at + half));
                        }
                    }
                }
            }
        }
    }
}

TEST_CASE("figure: one that is too small is refused") {
    for (const PixelSize& size : {PixelSize{239, 400}, PixelSize{640, 159}, PixelSize{1, 1}}) {
        try {
            FigureContent content;
            content.image = {1, 1, 1, Depth::u8};
            content.largest = {1};
            lay_out(content, size);
            FAIL("it is laid out");
        } catch (const Error& error) {
            CHECK(error.code() == ErrorCode::usage);
        }
    }
}

TEST_CASE("figure: SVG has the same columns") {
    Image image(4, 2, 1, Depth::u8);
    const std::vector<std::uint8_t> values{0, 0, 64, 128, 128, 128, 255, 255};
    std::copy(values.begin(), values.end(), image.values<std::uint8_t>().begin());
    const HistogramPlot plot{.histogram = {.bins = 4}};
    const GpuImage on_gpu = gpu().upload(image);
    const Buffer counts = count_on_gpu_buffer(gpu(), on_gpu, plot.histogram);
    const std::string svg = plot.svg(gpu(), image.form(), counts);
    const Figure figure = Drawn(image, plot).figure;
    std::string path = fmt::format("M{},{:g}", figure.corner[0], figure.bottom());
    const std::vector<int> four{2, 1, 3, 2};
    for (std::size_t i = 0; i < 4; ++i) {
        path += fmt::format("H{:.2f}V{:.2f}", figure.corner[0] + figure.area.width * double(i) / 4,
                            figure.bottom() - 0.96 * figure.area.height * four[i] / 3);
    }
    path += fmt::format("H{:g}V{:g}Z", figure.right(), figure.bottom());
    CHECK(svg.find("<path d=\"" + path + "\" fill=\"rgb(118,118,118)\"") != std::string::npos);
}
