// The plot of a histogram in the seed's style, pixel by pixel against a drawing in whole numbers.
#include "glproc/ops/histogram/plot.hpp"

#include "glproc/ops/histogram/count.hpp"
#include "glproc/op/op.hpp"
#include "support/catch.hpp"
#include "support/fixture.hpp"
#include "support/histogram_reference.hpp"
#include "support/inputs.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

using namespace glproc;
using namespace glproc::test;

namespace {

using enum HistogramChannel;
using Channels = std::vector<HistogramChannel>;
using Colour = std::array<int, 3>;

constexpr std::array depths{Depth::u8, Depth::u16, Depth::f32};

/// The columns of a channel in a plot, in whole pixels.
std::vector<std::uint64_t> heights(const std::vector<std::uint64_t>& counts, std::uint64_t pixels,
                                   const PixelSize& size) {
    const std::uint64_t bins = counts.size();
    const auto width = static_cast<std::uint64_t>(size.width);
    const auto height = static_cast<std::uint64_t>(size.height);
    const std::uint64_t most = *std::max_element(counts.begin(), counts.end());
    std::vector<std::uint64_t> result(width);
    for (std::uint64_t x = 0; x < width && most > 0; ++x) {
        const std::uint64_t first = x * bins / width;
        const std::uint64_t end = std::max(first + 1, (x + 1) * bins / width);
        std::uint64_t count = 0;
        for (std::uint64_t bin = first; bin < end; ++bin) {
            count = std::max(count, counts[bin]);
        }
        const bool by_largest = most * bins <= 5 * pixels; // 1 / most >= bins / (5 pixels)
        const std::uint64_t number = by_largest ? count * height : count * height * bins;
        const std::uint64_t unit = by_largest ? most : 5 * pixels;
        result[x] = std::min(height, (2 * number + unit) / (2 * unit));
    }
    return result;
}

Colour colour_of(bool r, bool g, bool b, bool a) {
    if (a) {
        return !r && !g && !b ? Colour{255, 128, 0} : Colour{r ? 255 : 160, g ? 255 : 160, b ? 255 : 160};
    }
    return r && g && b ? Colour{160, 160, 160} : Colour{r ? 255 : 0, g ? 255 : 0, b ? 255 : 0};
}

/// What the plot of these counts of `pixels` pixels must be.
Image expected_plot(const std::vector<ChannelCounts>& counts, std::uint64_t pixels, const PixelSize& size) {
    std::map<HistogramChannel, std::vector<std::uint64_t>> columns;
    for (const ChannelCounts& one : counts) {
        columns[one.channel] = heights(one.counts, pixels, size);
    }
    const auto lumas = static_cast<int>(columns.count(luma));
    const int panels = (static_cast<int>(columns.size()) > lumas ? 1 : 0) + lumas;
    Image plot(size.width, size.height * panels, 3, Depth::u8);
    for (int y = 0; y < plot.height(); ++y) {
        const bool is_luma = lumas > 0 && y / size.height == panels - 1;
        const auto above = static_cast<std::uint64_t>(size.height - 1 - y % size.height);
        for (int x = 0; x < plot.width(); ++x) {
            const auto reached = [&](HistogramChannel channel) {
                const auto found = columns.find(channel);
                return found != columns.end() && found->second[static_cast<std::size_t>(x)] > above;
            };
            const Colour white = reached(luma) ? Colour{255, 255, 255} : Colour{0, 0, 0};
            const Colour colour =
                is_luma ? white : colour_of(reached(red), reached(green), reached(blue), reached(alpha));
            for (int c = 0; c < 3; ++c) {
                set_value(plot, x, y, c, colour[static_cast<std::size_t>(c)] / 255.0);
            }
        }
    }
    return plot;
}

/// Empty where the images are the same, else the first difference.
std::string difference(const Image& got, const Image& expected) {
    if (got.width() != expected.width() || got.height() != expected.height() || got.channels() != 3 ||
        got.depth() != Depth::u8) {
        return fmt::format("{} instead of {}", describe(got), describe(expected));
    }
    for (int y = 0; y < got.height(); ++y) {
        for (int x = 0; x < got.width(); ++x) {
            for (int c = 0; c < 3; ++c) {
                if (got.at(x, y, c) != expected.at(x, y, c)) {
                    return fmt::format("({}, {}) channel {}: {} instead of {}", x, y, c, got.at(x, y, c),
                                       expected.at(x, y, c));
                }
            }
        }
    }
    return {};
}

std::uint64_t pixels_of(const Image& image) {
    return static_cast<std::uint64_t>(image.width()) * static_cast<std::uint64_t>(image.height());
}

HistogramPlot seed(HistogramPlot plot) {
    plot.style = PlotStyle::seed;
    return plot;
}

void check_plot(const Image& image, const Histogram& histogram, const PixelSize& size) {
    const GpuImage on_gpu = gpu().upload(image);
    Histogram on_cpu = histogram;
    on_cpu.variant = HistogramVariant::cpu;
    const Image expected = expected_plot(on_cpu(gpu(), on_gpu), pixels_of(image), size);
    const Image got = gpu().download(seed({histogram, size})(gpu(), on_gpu));
    INFO(describe(image) << ", " << describe(histogram) << ", plot " << size.width << "x" << size.height);
    CHECK(difference(got, expected) == "");
}

Channels all_channels(int channels) {
    return channels % 2 == 0 ? Channels{luma, red, green, blue, alpha} : Channels{red, luma, green, blue};
}

std::vector<Image> images_of(const Shape& shape) {
    return {constant_image(shape, 0.4), two_valued_image(shape, 0.1, 0.8, 3), random_image(shape, 5),
            photo_like_image(shape)};
}

/// A grey image of 8 bits in which each code occurs the given number of times.
Image image_of_counts(int width, int height, const std::map<int, int>& counts) {
    Image image(width, height, 1, Depth::u8);
    auto values = image.values<std::uint8_t>();
    auto next = values.begin();
    for (const auto& [code, count] : counts) {
        next = std::fill_n(next, count, static_cast<std::uint8_t>(code));
    }
    REQUIRE(next == values.end());
    return image;
}

/// How many pixels of column x are not black.
int column_height(const Image& plot, int x) {
    int height = 0;
    for (int y = 0; y < plot.height(); ++y) {
        height += plot.at(x, y, 0) + plot.at(x, y, 1) + plot.at(x, y, 2) > 0 ? 1 : 0;
    }
    return height;
}

Image plot_of(const Image& image, const HistogramPlot& plot) {
    return gpu().download(seed(plot)(gpu(), gpu().upload(image)));
}

Error refusal(const HistogramPlot& plot, const Image& image) {
    try {
        plot_of(image, plot);
    } catch (const Error& error) {
        return error;
    }
    FAIL("it is drawn");
    throw;
}

} // namespace

TEST_CASE("every pixel of a plot is right, for all images, depths and channels, and any width") {
    for (const Depth depth : depths) {
        for (const int channels : {1, 2, 3, 4}) {
            for (const Image& image : images_of({61, 67, channels, depth})) {
                for (const int bins : {1, 2, 7, 256, 1000}) {
                    for (const int width : {1, std::max(1, bins * 3 / 7), bins, bins + 13}) {
                        check_plot(image, {.bins = bins, .channels = all_channels(channels)}, {width, 23});
                    }
                }
            }
        }
    }
}

TEST_CASE("every set of channels has its panels and colours") {
    const Image image = photo_like_image({83, 59, 4, Depth::u8});
    for (unsigned set = 1; set < 32; ++set) {
        Channels channels;
        for (unsigned i = 0; i < 5; ++i) {
            if ((set >> i & 1U) != 0) {
                channels.push_back(static_cast<HistogramChannel>(i));
            }
        }
        check_plot(image, {.bins = 64, .channels = channels}, {131, 41});
        std::reverse(channels.begin(), channels.end());
        check_plot(image, {.bins = 64, .channels = channels}, {131, 41});
    }
}

TEST_CASE("every size of a plot is filled to its last pixel") {
    const Image image = photo_like_image({83, 59, 3, Depth::u8});
    for (const Size& size : awkward_sizes()) {
        check_plot(image, {.bins = 50, .channels = {red, luma, blue}}, {size.width, size.height});
    }
    check_plot(image, {.bins = 65536, .channels = {green}}, {1, 5});
    check_plot(image, {.bins = 65536, .channels = {green, luma}}, {16384, 3});
    check_plot(image, {.bins = 3, .channels = {luma}}, {2, 16384});
}

TEST_CASE("the smallest plot of the smallest image is one pixel") {
    for (const int bins : {1, 2, 65536}) {
        check_plot(constant_image({1, 1, 1, Depth::u8}, 1), {.bins = bins}, {1, 1});
    }
}

TEST_CASE("five times the mean count reaches the top: peaks are cut") {
    // 0.2 x 256 / 2560 = 0.02 of the height for each pixel
    const Image image = image_of_counts(64, 40, {{0, 2434}, {10, 50}, {20, 49}, {30, 25}, {40, 1}, {50, 1}});
    const Image plot = plot_of(image, {.size = PixelSize{256, 100}});
    for (const auto& [x, height] :
         std::map<int, int>{{0, 100}, {10, 100}, {20, 98}, {30, 50}, {40, 2}, {60, 0}}) {
        INFO("column " << x);
        CHECK(column_height(plot, x) == height);
    }
}

TEST_CASE("heights are rounded to whole pixels, halves up, and the largest count fills a flat plot") {
    const Image image = image_of_counts(10, 1, {{0, 4}, {100, 3}, {150, 1}, {255, 2}});
    const std::array<std::array<int, 4>, 3> expected{{{1, 1, 0, 1}, {2, 2, 1, 1}, {6, 5, 2, 3}}};
    const std::array sizes{1, 2, 6};
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const Image plot = plot_of(image, {.histogram = {.bins = 4}, .size = PixelSize{4, sizes[i]}});
        for (int x = 0; x < 4; ++x) {
            INFO("height " << sizes[i] << ", column " << x);
            CHECK(column_height(plot, x) == expected[i][static_cast<std::size_t>(x)]);
        }
    }
}

TEST_CASE("counts of many pixels are multiplied without overflow") {
    const GpuImage image = gpu().make_image({8192, 8192, 1, Depth::u8}, "never read");
    constexpr std::uint64_t pixels = 8192 * 8192;
    for (const int bins : {1, 2, 5, 65536}) {
        for (const double most : {5.0, 1.01, 0.7}) { // times what fills the height by the share of pixels
            const Histogram histogram{.bins = bins};
            ChannelCounts counts;
            for (int bin = 0; bin < bins; ++bin) {
                const double share = hash_01(7, static_cast<std::uint32_t>(bin));
                counts.counts.push_back(
                    static_cast<std::uint64_t>(std::min(5.0 * pixels / bins * most * share, 4294967295.0)));
            }
            const Buffer slots = upload_counts(gpu(), image.form(), histogram, {counts});
            const PixelSize size{5, 16384};
            const Image got = gpu().download(seed({histogram, size}).draw(gpu(), image.form(), slots));
            INFO(bins << " bins, " << most);
            CHECK(difference(got, expected_plot({counts}, pixels, size)) == "");
        }
    }
}

TEST_CASE("where nothing lies in the range the plot is black") {
    const Image image = constant_image({7, 5, 3, Depth::f32}, std::numeric_limits<float>::quiet_NaN());
    const Histogram histogram{.bins = 4, .channels = {red, luma}};
    check_plot(image, histogram, {9, 4});
    CHECK(column_height(plot_of(image, {histogram, PixelSize{9, 4}}), 0) == 0);
}

TEST_CASE("a plot without a size has a column for each bin, as far as a plot may go") {
    const Image image = photo_like_image({31, 17, 3, Depth::u8});
    for (const auto& [bins, width] : std::map<int, int>{{1, 1}, {77, 77}, {16384, 16384}, {65536, 16384}}) {
        const Image plot = plot_of(image, {.histogram = {.bins = bins}});
        CHECK(plot.width() == width);
        CHECK(plot.height() == 100);
    }
}

TEST_CASE("every variant counts the same plot, and the report brings it along") {
    const Image image = photo_like_image({101, 67, 4, Depth::u8});
    const GpuImage on_gpu = gpu().upload(image);
    const Histogram histogram{.bins = 33, .channels = {alpha, blue, luma}};
    const Image expected = plot_of(image, {histogram, PixelSize{50, 20}});
    for (const auto& row : enum_rows<HistogramVariant>) {
        INFO(row.name);
        Histogram asked = histogram;
        asked.variant = row.value;
        CHECK(difference(plot_of(image, {asked, PixelSize{50, 20}}), expected) == "");
        const auto operation = find_operation("histogram")->make();
        for (const auto& [field, text] : std::map<std::string, std::string>{{"bins", "33"},
                                                                            {"channels", "a,b,luma"},
                                                                            {"method", std::string(row.name)},
                                                                            {"plot", "a.png"},
                                                                            {"plot-style", "seed"},
                                                                            {"plot-size", "50x20"}}) {
            operation->set(field, text);
        }
        const Report report =
            operation->run(gpu(), ImageInput{.name = "x", .pixels = image, .image = on_gpu}).report.value();
        REQUIRE(report.picture.has_value());
        CHECK(difference(gpu().download(*report.picture), expected) == "");
    }
}

TEST_CASE("plots that make no sense are refused") {
    const Image image = constant_image({3, 3, 3, Depth::u8}, 0.5);
    for (const PixelSize& size :
         {PixelSize{0, 5}, PixelSize{5, 0}, PixelSize{-1, 5}, PixelSize{16385, 1}, PixelSize{1, 16385}}) {
        CHECK(refusal({.size = size}, image).code() == ErrorCode::usage);
    }
    CHECK(refusal({.histogram = {.bins = 0}}, image).code() == ErrorCode::usage);
    CHECK(refusal({.histogram = {.channels = {alpha}}}, image).code() == ErrorCode::usage);
}
