#include "glproc/ops/stats.hpp"

#include "support/catch.hpp"
#include "support/fixture.hpp"
#include "support/hidden.hpp"
#include "support/inputs.hpp"
#include "support/tiled.hpp"
#include "support/warnings.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

using namespace glproc;
using namespace glproc::test;

namespace {

/// By sorting.
ChannelStats naive_stats(const Image& image, int channel, const std::vector<double>& percentiles, bool hidden) {
    std::vector<double> values;
    ChannelStats stats;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            if (!hidden && channel + 1 < image.channels() && is_hidden(image, x, y)) {
                continue;
            }
            const double value = image.at(x, y, channel);
            if (std::isnan(value)) {
                ++stats.nan;
            } else {
                values.push_back(value);
            }
        }
    }
    std::sort(values.begin(), values.end());
    stats.count = values.size();
    const auto n = static_cast<double>(values.size());
    std::map<double, double> counts;
    for (const double value : values) {
        stats.mean += value / n;
        counts[value] += 1;
    }
    for (const double value : values) {
        stats.stddev += (value - stats.mean) * (value - stats.mean) / n;
    }
    for (const auto& [value, count] : counts) {
        stats.entropy -= count / n * std::log2(count / n);
    }
    stats.stddev = std::sqrt(stats.stddev);
    stats.min = values.front();
    stats.max = values.back();
    stats.median = values[(values.size() - 1) / 2];
    for (const double percent : percentiles) {
        stats.percentiles.push_back(values[static_cast<std::size_t>(std::floor((n - 1) * percent / 100))]);
    }
    return stats;
}

void check_equal(const ChannelStats& got, const ChannelStats& right, bool is_float) {
    CHECK(got.count == right.count);
    CHECK(got.nan == right.nan);
    CHECK(got.min == right.min);
    CHECK(got.max == right.max);
    CHECK(got.mean == Approx(right.mean).epsilon(1e-12));
    CHECK(got.stddev == Approx(right.stddev).epsilon(1e-9).margin(1e-7));
    CHECK(got.median == right.median);
    CHECK(got.percentiles == right.percentiles);
    CHECK((is_float ? std::isnan(got.entropy) : got.entropy == Approx(right.entropy).margin(1e-12)));
}

void check(const Image& image, bool hidden = false) {
    const std::vector<double> percentiles{0, 1, 33.3, 50, 99, 100};
    for (const StatsMethod method : {StatsMethod::automatic, StatsMethod::cpu}) {
        const Stats op{.percentiles = percentiles, .hidden = hidden, .method = method};
        const auto whole = op(gpu(), gpu().upload(image));
        const ScopedLimits small("texture_size:16", plenty);
        const auto in_rows = op(gpu(), rows_of(image));
        REQUIRE(whole.size() == static_cast<std::size_t>(image.channels()));
        REQUIRE(in_rows.size() == whole.size());
        for (int c = 0; c < image.channels(); ++c) {
            INFO("channel " << c << " of " << describe(image) << ", method " << name_of(method));
            const ChannelStats right = naive_stats(image, c, percentiles, hidden);
            check_equal(whole[static_cast<std::size_t>(c)], right, image.depth() == Depth::f32);
            check_equal(in_rows[static_cast<std::size_t>(c)], right, image.depth() == Depth::f32);
        }
    }
}

} // namespace

TEST_CASE("stats of every kind of picture are those of the sorted values") {
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        for (int channels = 1; channels <= 4; ++channels) {
            for (const Size& size : {Size{1, 1}, Size{1, 19}, Size{53, 37}}) {
                check(random_image({size.width, size.height, channels, depth}, 3, FloatRange::wide));
            }
            check(constant_image({20, 10, channels, depth}, 0.3));
            const Image hiding = with_hidden_pixels(random_image({53, 37, channels, depth}, 3, FloatRange::wide));
            check(hiding);
            check(hiding, true);
        }
    }
    CHECK(gpu_warnings() == std::vector<std::string>()); // no kernel was wrong and another method right
}

TEST_CASE("stats leave NaN out, and say where nothing is left") {
    Image image = random_image({30, 20, 1, Depth::f32}, 4, FloatRange::wide);
    image.values<float>()[7] = std::numeric_limits<float>::quiet_NaN();
    image.values<float>()[8] = std::numeric_limits<float>::infinity();
    const auto stats = Stats{.percentiles = {50}}(gpu(), gpu().upload(image)).front();
    CHECK(stats.nan == 1);
    CHECK(stats.count == 599);
    CHECK(std::isinf(stats.max));
    for (float& value : image.values<float>()) {
        value = std::numeric_limits<float>::quiet_NaN();
    }
    const auto nothing = Stats{.percentiles = {50}}(gpu(), gpu().upload(image)).front();
    CHECK(nothing.nan == 600);
    CHECK(nothing.count == 0);
    CHECK(std::isnan(nothing.min));
    CHECK(std::isnan(nothing.percentiles.front()));
}

TEST_CASE("stats of a picture of which nothing can be seen") {
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        const Image image = constant_image({5, 4, 4, depth}, 0);
        for (const StatsMethod method : {StatsMethod::automatic, StatsMethod::cpu}) {
            const auto stats = Stats{.percentiles = {50}, .method = method}(gpu(), gpu().upload(image));
            CHECK(stats[0].count == 0);
            CHECK(std::isnan(stats[0].min));
            CHECK(std::isnan(stats[0].median));
            CHECK(std::isnan(stats[0].percentiles.at(0)));
            CHECK(stats[3].count == 20);
            CHECK(stats[3].mean == 0);
        }
    }
}

TEST_CASE("stats refuse percentiles beyond 0 to 100") {
    const GpuImage image = gpu().upload(constant_image({2, 2, 1, Depth::u8}, 1));
    CHECK_THROWS_AS((Stats{.percentiles = {101}}(gpu(), image)), Error);
    CHECK_THROWS_AS((Stats{.percentiles = {-1}}(gpu(), image)), Error);
}
