#include "glproc/ops/median.hpp"

#include "support/catch.hpp"
#include "support/combinations.hpp"
#include "support/filter_cases.hpp"
#include "support/fixture.hpp"
#include "support/hidden.hpp"
#include "support/inputs.hpp"
#include "support/matchers.hpp"
#include "support/reference.hpp"
#include "support/tiled.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

using namespace glproc;
using namespace glproc::test;

namespace {

/// The pixel at index −1: what a constant border has beyond the image.
double value_beyond(const Median& median, const Image& image, int channel) {
    const bool is_alpha = image.has_alpha() && channel == image.channels() - 1;
    const double value = is_alpha ? 0 : median.border.value;
    return image.depth() == Depth::f32 ? static_cast<float>(value)
                                       : std::nearbyint(value * max_code(image.depth()));
}

/// SciPy's definition: all values under the box in their order, and the one at int(n · percentile / 100).
double expected_at(const Median& median, const Image& image, int x, int y, int channel) {
    std::vector<double> values;
    for (int dy = -median.radius.y; dy <= median.radius.y; ++dy) {
        for (int dx = -median.radius.x; dx <= median.radius.x; ++dx) {
            const int from_x = test::border_index(median.border.mode, x + dx, image.width());
            const int from_y = test::border_index(median.border.mode, y + dy, image.height());
            const bool is_beyond = from_x < 0 || from_y < 0;
            const double value =
                is_beyond ? value_beyond(median, image, channel) : image.at(from_x, from_y, channel);
            const bool counts = is_beyond || channel == image.channels() - 1 || !is_hidden(image, from_x, from_y);
            if (!std::isnan(value) && counts) {
                values.push_back(value);
            }
        }
    }
    if (values.empty() && image.has_alpha() && channel < image.channels() - 1 && expected_at(median, image, x, y, image.channels() - 1) == 0) {
        return 0; // nothing that can be seen
    }
    if (values.empty()) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    const auto count = values.size();
    const auto place = static_cast<std::size_t>(static_cast<double>(count) * median.percentile / 100);
    std::sort(values.begin(), values.end());
    return values[std::min(place, count - 1)];
}

/// The answer, one value after another.
std::vector<double> expected(const Median& median, const Image& image) {
    std::vector<double> values;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            for (int c = 0; c < image.channels(); ++c) {
                const bool is_kept =
                    median.alpha == RankAlpha::ignore && image.has_alpha() && c == image.channels() - 1;
                values.push_back(is_kept ? image.at(x, y, c) : expected_at(median, image, x, y, c));
            }
        }
    }
    return values;
}

/// The medians where the image differs from them by more than the threshold on the side that is asked for, or
/// has no colour.
std::vector<double> without_outliers(const Median& median, const Image& image, std::vector<double> values) {
    std::size_t i = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            for (int c = 0; c < image.channels(); ++c, ++i) {
                const double own = image.at(x, y, c);
                const double above = own == values[i] ? 0 : own - values[i]; // of two infinities
                const double counted = *median.outliers == Outliers::both   ? std::abs(above)
                                       : *median.outliers == Outliers::dark ? -above
                                                                            : above;
                const bool has_colour = c == image.channels() - 1 || !is_hidden(image, x, y);
                const double most = *median.threshold * max_code(image.depth());
                values[i] = has_colour && !(counted > most) ? own : values[i];
            }
        }
    }
    return values;
}

/// The first value that is not the answer; empty where there is none.
std::string problem(const Image& got, const std::vector<double>& answer) {
    std::size_t i = 0;
    for (int y = 0; y < got.height(); ++y) {
        for (int x = 0; x < got.width(); ++x) {
            for (int c = 0; c < got.channels(); ++c, ++i) {
                const double value = got.at(x, y, c);
                if (!(value == answer[i] || (std::isnan(value) && std::isnan(answer[i])))) {
                    return fmt::format("channel {} of {},{} is {}, not {}", c, x, y, value, answer[i]);
                }
            }
        }
    }
    return {};
}

/// Whether a method is there for it.
bool is_there(MedianMethod method, const Median& median, Depth depth) {
    const bool is_box = median.radius.x == median.radius.y && median.radius.x <= 2;
    const int radius = std::max(median.radius.x, median.radius.y);
    return method == MedianMethod::network      ? median.percentile == 50 && is_box
           : method == MedianMethod::bits       ? depth == Depth::u8 && radius <= 7
           : method == MedianMethod::thresholds ? depth == Depth::u8 && radius <= 15
                                                : true;
}

/// Runs every method that is there for it, and returns how many.
int check_medians(Median median, const Image& image) {
    std::vector<double> answer = expected(median, image);
    if (median.outliers) {
        answer = without_outliers(median, image, std::move(answer));
    }
    int ran = 0;
    for (const auto& row : enum_rows<MedianMethod>) {
        median.method = row.value;
        if (!is_there(row.value, median, image.depth())) {
            CHECK_THROWS_AS(median(gpu(), gpu().upload(image)), Error);
            continue;
        }
        INFO(fmt::format("{} radius {},{} percentile {} border {} alpha {} on {}", row.name, median.radius.x,
                         median.radius.y, median.percentile, FieldText<Border>::print(median.border),
                         name_of(median.alpha), describe(image)));
        const Image result = whole(median, image);
        REQUIRE(result.form() == image.form());
        CHECK(problem(result, answer) == "");
        ++ran;
    }
    return ran;
}

/// A float image with NaN, both infinities and zeros of both signs among its values.
Image odd_floats(const Shape& shape, std::uint32_t share) {
    Image image = random_image(shape, 41, FloatRange::wide);
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const std::array odd{nan, -nan, nan, infinity, -infinity, 0.0F, -0.0F, std::bit_cast<float>(0x7f800001U)};
    std::uint32_t i = 0;
    for (float& value : image.values<float>()) {
        const auto draw = static_cast<std::uint32_t>(hash_01(42, i) * 1000);
        value = draw < share ? odd[++i % odd.size()] : value;
        ++i;
    }
    return image;
}

} // namespace

TEST_CASE("the median of nine pixels is the fifth in their order") {
    Image image(3, 3, 1, Depth::u8);
    const std::array<std::uint8_t, 9> codes{9, 1, 8, 2, 7, 3, 6, 4, 5};
    std::ranges::copy(codes, image.values<std::uint8_t>().begin());
    for (const auto& row : enum_rows<MedianMethod>) {
        const Image result = whole(Median{.radius = 1, .method = row.value}, image);
        INFO("method " << row.name);
        CHECK(result.at(1, 1, 0) == 5);
        CHECK(result.at(0, 0, 0) == 7); // 9 9 1, 9 9 1, 2 2 7 in order: 1 1 2 2 7 9 9 9 9
    }
}

TEST_CASE("every awkward size gives the median, also where the radius is larger than the image") {
    std::size_t next = 0;
    for (const Size& size : awkward_sizes()) {
        const Image image = random_image({size.width, size.height, 1, Depth::u8}, 51);
        for (const int radius : {1, 2, 4}) { // with each border in turn
            const Border border = all_borders()[next++ % all_borders().size()];
            CHECK(check_medians({.radius = radius, .border = border}, image) == (radius <= 2 ? 6 : 5));
        }
    }
}

TEST_CASE("every depth, number of channels and way with alpha gives the median") {
    std::size_t next = 0;
    for (const auto& [depth, channels, radius, alpha] :
         combinations(every_depth, std::vector{1, 2, 3, 4}, std::vector<PerAxis<int>>{1, 2, {3, 1}},
                      std::vector{RankAlpha::straight, RankAlpha::ignore})) {
        const Image image = random_image({37, 11, channels, depth}, 52, FloatRange::wide);
        check_medians(
            {.radius = radius, .border = all_borders()[next++ % all_borders().size()], .alpha = alpha},
            image);
    }
}

TEST_CASE("values that occur often, and pictures of one value, give the median") {
    for (const Depth depth : every_depth) {
        for (const int radius : {1, 2, 6}) {
            check_medians({.radius = radius}, constant_image({19, 17, 4, depth}, 0.7));
            check_medians({.radius = radius}, two_valued_image({19, 17, 3, depth}, 0, 1, 53));
            check_medians({.radius = radius, .border = BorderMode::mirror},
                          gradient_image({35, 9, 2, depth}));
        }
    }
}

TEST_CASE("a percentile is the value at int(n p / 100), and 100 the largest") {
    for (const auto& [depth, percentile, radius] :
         combinations(every_depth, std::vector{0.0, 0.1, 33.3, 49.999, 50.0, 75.0, 99.9, 100.0},
                      std::vector<PerAxis<int>>{1, 2, {1, 5}})) {
        check_medians({.radius = radius, .percentile = percentile}, random_image({23, 14, 1, depth}, 54));
    }
}

TEST_CASE("counts of 255 and more pixels under the box are exact") {
    for (const PerAxis<int> radius : {PerAxis<int>{7}, {8}, {127, 0}, {0, 127}, {63, 1}}) {
        check_medians({.radius = radius}, constant_image({41, 23, 1, Depth::u8}, 1));
        check_medians({.radius = radius}, random_image({41, 23, 2, Depth::u8}, 55));
    }
}

TEST_CASE("the largest radius gives the median") {
    const Image image = random_image({17, 6, 1, Depth::u8}, 56);
    check_medians({.radius = 127, .border = BorderMode::wrap}, image);
    check_medians({.radius = {127, 40}, .border = {BorderMode::constant, 0.5}},
                  constant_image({9, 5, 4, Depth::u8}, 1));
}

TEST_CASE("long columns and jumps between black and white are followed") {
    Image image(3, 700, 1, Depth::u8);
    for (int y = 0; y < 700; ++y) {
        for (int x = 0; x < 3; ++x) {
            set_value(image, x, y, 0, y / 7 % 2 == 0 ? 0 : 1);
        }
    }
    check_medians({.radius = {0, 3}}, image);
    check_medians({.radius = {1, 1}}, random_image({5, 700, 1, Depth::u8}, 57));
}

TEST_CASE("NaN counts as missing: the median is that of the others, and NaN only where there are none") {
    for (const std::uint32_t share : {1U, 50U, 600U, 1000U}) {
        for (const int channels : {1, 3, 4}) {
            const Image image = odd_floats({21, 13, channels, Depth::f32}, share);
            for (const int radius : {1, 2, 3}) {
                check_medians({.radius = radius, .border = BorderMode::symmetric}, image);
            }
            check_medians({.radius = 2, .percentile = 20}, image);
        }
    }
    Image none = constant_image({50, 40, 1, Depth::f32}, 1);
    std::ranges::fill(none.values<float>(), std::numeric_limits<float>::quiet_NaN());
    check_medians({.radius = 2}, none);
    check_medians({.radius = 1, .border = {BorderMode::constant, 0.25}}, none);
}

TEST_CASE("every NaN is written with the same bits") {
    Image image = constant_image({3, 3, 1, Depth::f32}, 1);
    std::ranges::fill(image.values<float>(), -std::numeric_limits<float>::quiet_NaN());
    for (const auto& row : enum_rows<MedianMethod>) {
        if (!is_there(row.value, {.radius = 1}, Depth::f32)) {
            continue;
        }
        const Image result = whole(Median{.radius = 1, .method = row.value}, image);
        INFO("method " << row.name);
        CHECK(std::bit_cast<std::uint32_t>(result.values<float>()[4]) == 0x7fc00000U);
    }
}

TEST_CASE("a median that reaches nowhere copies bit for bit") {
    const Image image = odd_floats({13, 5, 4, Depth::f32}, 300);
    for (const auto& row : enum_rows<MedianMethod>) {
        CHECK_THAT(whole(Median{.radius = 0, .percentile = 3, .method = row.value}, image), IsBitwise(image));
    }
}

TEST_CASE("bits and thresholds give what running histograms do, for every radius they take") {
    constexpr std::array percentiles{50.0, 3.0, 100.0, 81.5};
    for (int radius = 1; radius <= 15; ++radius) {
        const auto number = static_cast<std::size_t>(radius);
        const Image image =
            random_image({149, 83, 1 + radius % 4, Depth::u8}, 59); // the last groups not whole
        Median median{
            .radius = std::array<PerAxis<int>, 3>{radius, {radius, radius / 2 + 1}, {radius, 0}}[number % 3],
            .percentile = percentiles[number % percentiles.size()],
            .border = all_borders()[number % all_borders().size()],
            .method = MedianMethod::cpu,
            .alpha = number % 2 == 0 ? RankAlpha::straight : RankAlpha::ignore};
        const Image expected = whole(median, image);
        for (const MedianMethod method : {MedianMethod::bits, MedianMethod::thresholds}) {
            median.method = method;
            if (!is_there(method, median, Depth::u8)) {
                continue;
            }
            INFO(fmt::format("{} radius {},{} percentile {} on {}", name_of(method), median.radius.x,
                             median.radius.y, median.percentile, describe(image)));
            CHECK_THAT(whole(median, image), IsBitwise(expected));
        }
    }
}

TEST_CASE("results of a group that differ by all codes, and steps of every height, are found") {
    Image ramp(128, 70, 2, Depth::u8);
    for (int y = 0; y < 70; ++y) {
        for (int x = 0; x < 128; ++x) {
            set_value(ramp, x, y, 0, std::min(4 * (x % 64) + y / 16, 255) / 255.0);
            set_value(ramp, x, y, 1, (x < 40 ? y : 255 - y) / 255.0);
        }
    }
    for (const int radius : {1, 3}) {
        check_medians({.radius = radius}, ramp);
        check_medians({.radius = radius, .percentile = 100}, ramp);
        check_medians({.radius = radius, .percentile = 0}, ramp);
    }
}

TEST_CASE("outliers alone become the median: bright, dark or both, by more than the threshold") {
    std::size_t next = 0;
    for (const auto& [depth, channels, outliers, threshold] :
         combinations(every_depth, std::vector{1, 2, 3, 4},
                      std::vector{Outliers::bright, Outliers::dark, Outliers::both},
                      std::vector<Level>{0, {0.25, true}, {64.0 / 255, true}, 1})) {
        const Image image = with_hidden_pixels(random_image({37, 11, channels, depth}, 60));
        check_medians({.radius = next % 2 == 0 ? PerAxis<int>(1) : PerAxis<int>{3, 1},
                       .border = all_borders()[next % all_borders().size()],
                       .alpha = next % 3 == 0 ? RankAlpha::ignore : RankAlpha::straight,
                       .outliers = outliers,
                       .threshold = threshold},
                      image);
        ++next;
    }
}

TEST_CASE("a difference of just the threshold is no outlier, a code more is one") {
    for (const Depth depth : {Depth::u8, Depth::u16}) {
        for (const int above : {40, 41, -40, -41}) {
            Image image = constant_image({5, 5, 1, depth}, 0);
            for (int i = 0; i < 25; ++i) {
                set_value(image, i % 5, i / 5, 0, (i == 12 ? 100 + above : 100) / double(max_code(depth)));
            }
            check_medians(
                {.radius = 1, .outliers = Outliers::both, .threshold = Level(40.0 / max_code(depth), true)},
                image);
            check_medians(
                {.radius = 2, .outliers = Outliers::dark, .threshold = Level(40.0 / max_code(depth), true)},
                image);
        }
    }
}

TEST_CASE("NaN is no outlier, infinities are, and a picture without outliers keeps its bits") {
    for (const int channels : {1, 3, 4}) {
        const Image image = odd_floats({21, 13, channels, Depth::f32}, 200);
        for (const Outliers outliers : {Outliers::bright, Outliers::dark, Outliers::both}) {
            check_medians({.radius = 2, .outliers = outliers, .threshold = 0.5}, image);
        }
        const Median none{.radius = 1, .outliers = Outliers::both, .threshold = 1e30};
        const Image plain = random_image({21, 13, channels, Depth::f32}, 61, FloatRange::wide);
        CHECK_THAT(whole(none, plain), IsBitwise(plain));
    }
}

TEST_CASE("outliers in tiles have the same bits") {
    for (const Depth depth : every_depth) {
        const Image image = with_hidden_pixels(random_image({70, 53, 4, depth}, 62));
        for (const MedianMethod method :
             {MedianMethod::automatic, MedianMethod::histogram, MedianMethod::cpu}) {
            const Median median{
                .radius = 2, .method = method, .outliers = Outliers::both, .threshold = Level(0.3)};
            const Image expected = whole(median, image);
            const ScopedLimits limits("texture_size:20", plenty);
            INFO("method " << name_of(method) << ", " << name_of(depth));
            CHECK_THAT(tiled(median, image), IsBitwise(expected));
        }
    }
}

TEST_CASE("a method of bytes is refused where it cannot run") {
    const Image bytes = constant_image({3, 3, 1, Depth::u8}, 1);
    for (const auto& [method, most] :
         {std::pair{MedianMethod::bits, 7}, std::pair{MedianMethod::thresholds, 15}}) {
        const std::string why = fmt::format("{} takes 8 bits and a radius up to {}", name_of(method), most);
        CHECK_THROWS_WITH(whole(Median{.radius = {0, most + 1}, .method = method}, bytes), why);
        CHECK_THROWS_WITH(
            whole(Median{.radius = 1, .method = method}, constant_image({3, 3, 1, Depth::u16}, 1)), why);
    }
}

TEST_CASE("a median in tiles has the same bits") {
    for (const Depth depth : every_depth) {
        const Image image = random_image({70, 53, 4, depth}, 58);
        for (const BorderMode border : {BorderMode::clamp, BorderMode::wrap, BorderMode::constant}) {
            for (const auto& row : enum_rows<MedianMethod>) {
                const Median median{.radius = 2, .border = border, .method = row.value};
                if (!is_there(row.value, median, depth)) {
                    continue;
                }
                const Image expected = whole(median, image);
                const ScopedLimits limits("texture_size:20", plenty);
                INFO("method " << row.name << ", " << name_of(depth));
                CHECK_THAT(tiled(median, image), IsBitwise(expected));
            }
        }
    }
}

TEST_CASE("a median out of range is refused by name") {
    CHECK(usage_error(Median{.radius = -1}) == "radius -1 is out of range");
    CHECK(usage_error(Median{.radius = {3, 128}}) == "radius 128 is out of range");
    CHECK(usage_error(Median{.radius = 1, .percentile = 100.5}) == "percentile 100.5 is out of range");
    CHECK(usage_error(Median{.radius = 1, .percentile = std::nan("")}) == "percentile nan is out of range");
    CHECK(usage_error(Median{.radius = 1, .outliers = Outliers::dark}) ==
          "median takes --outliers and --threshold together");
    CHECK(usage_error(Median{.radius = 1, .threshold = 0.1}) ==
          "median takes --outliers and --threshold together");
    CHECK(usage_error(Median{.radius = 1, .outliers = Outliers::dark, .threshold = 20}) ==
          "--threshold 20 is out of range: 0 is black and 1 white");
    CHECK(usage_error(Median{.radius = 1, .border = {BorderMode::constant, 2}}) ==
          "the border constant:2 is out of range: 0 is black and 1 white");
}
