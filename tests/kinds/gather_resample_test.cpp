// Pictures of another size: whole and in parts, by every filter, in every format.
#include "glproc/kinds/gather/resample.hpp"

#include "support/catch.hpp"
#include "support/fixture.hpp"
#include "support/inputs.hpp"
#include "support/matchers.hpp"
#include "support/rects.hpp"
#include "support/resample_reference.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

Resample to_size(const Image& image, int width, int height, ResampleFilter filter) {
    return {.x = {image.width(), width, 0, static_cast<double>(image.width()), filter},
            .y = {image.height(), height, 0, static_cast<double>(image.height()), filter}};
}

Reference answer_of(const Resample& resample, const Image& image) {
    return resampled(image, std::string(name_of(resample.x.filter)),
                     {resample.x.to, resample.x.begin, resample.x.length},
                     {resample.y.to, resample.y.begin, resample.y.length},
                     resample.alpha == AlphaMode::premultiply, resample.linear);
}

/// The rectangle made of nothing but what it is said to need.
Image made(const Resample& resample, const Image& image, const Rect& rect) {
    const Rect from = source_of(resample, rect);
    REQUIRE((from.x >= 0 && from.y >= 0 && from.width > 0 && from.height > 0));
    REQUIRE((from.right() <= image.width() && from.bottom() <= image.height()));
    return gpu().download(run_resample(gpu(), resample, gpu().upload(cut(image, from)), from, rect));
}

std::string describe(const Resample& resample, const Image& image) {
    return test::describe(image) + " to " + std::to_string(resample.x.to) + "x" +
           std::to_string(resample.y.to) + " by " + std::string(name_of(resample.x.filter)) + ", alpha " +
           std::string(name_of(resample.alpha)) + (resample.linear ? ", linear" : "");
}

/// Between the axes 8 bits are rounded to 256ths, by weights of 16 bits: with weights that add up to 1.4 in
/// magnitude, as those of lanczos3 do, an answer is off by 0.7 / 256 + 0.002 codes at most. Numerics allow it
/// to move a value in a thousand to the other side of a tie; small pictures have few values, and simple
/// ratios many ties.
constexpr Tolerance in_256ths{2e-5, 0.003};

Tolerance tolerance_of(const Resample& resample, const Image& image) {
    const bool weighted = image.has_alpha() && resample.alpha == AlphaMode::premultiply;
    return image.depth() == Depth::u8 && !weighted ? in_256ths : Tolerance{};
}

/// The whole against the definition, and a part against the whole.
void check(const Resample& resample, const Image& image, const Tolerance& tolerance) {
    INFO(describe(resample, image));
    const Image whole = made(resample, image, {0, 0, resample.x.to, resample.y.to});
    CHECK_THAT(whole, Matches(answer_of(resample, image), tolerance));
    const Rect part{resample.x.to / 3, resample.y.to / 2, (resample.x.to + 1) / 2, (resample.y.to + 1) / 2};
    CHECK_THAT(made(resample, image, part), IsBitwise(cut(whole, part)));
}

void check(const Resample& resample, const Image& image) {
    check(resample, image, tolerance_of(resample, image));
}

/// The curve is steepest at black: an error of 1e-6 of linear light is 12.92 times that on it.
constexpr Tolerance on_the_curve{12.92e-6, 0.001};

const std::vector<Size> new_sizes{{1, 1},   {7, 3},   {30, 20},  {61, 37},
                                  {61, 20}, {30, 37}, {97, 150}, {200, 9}};

} // namespace

TEST_CASE("every filter shrinks and enlarges every format as its definition says") {
    int turn = 0;
    for (const auto& row : enum_rows<ResampleFilter>) {
        for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
            for (int channels = 1; channels <= 4; ++channels) {
                const Image image = photo_like_image({61, 37, channels, depth}, 7);
                const Size size = new_sizes[static_cast<std::size_t>(turn++) % new_sizes.size()];
                Resample resample = to_size(image, size.width, size.height, row.value);
                resample.alpha = AlphaMode::straight;
                check(resample, image);
            }
        }
    }
}

TEST_CASE("of a photograph-like picture hardly a value differs from the rounded answer") {
    const Image image = photo_like_image({300, 200, 3, Depth::u8}, 16);
    for (const auto& [width, height] : {Size{150, 100}, Size{80, 53}, Size{450, 299}}) {
        const Resample resample = to_size(image, width, height, ResampleFilter::lanczos3);
        const Image result = made(resample, image, {0, 0, width, height});
        const Comparison comparison = compare(result, answer_of(resample, image), in_256ths);
        INFO(comparison.problem);
        CHECK(comparison.problem.empty());
        CHECK(comparison.off * 1000 < comparison.values);
    }
}

TEST_CASE("every pair of sizes, of photographs and of noise that overshoots") {
    for (const auto& [width, height] : new_sizes) {
        for (const ResampleFilter filter : {ResampleFilter::lanczos3, ResampleFilter::box}) {
            const Image noise = two_valued_image({61, 37, 3, Depth::u8}, 0, 1, 8);
            check(to_size(noise, width, height, filter), noise);
            const Image photo = photo_like_image({61, 37, 1, Depth::u8}, 8);
            check(to_size(photo, width, height, filter), photo);
        }
    }
}

TEST_CASE("awkward sizes and their neighbours, doubles and halves") {
    int turn = 0;
    for (const auto& [width, height] : awkward_sizes()) {
        const Image image = random_image({width, height, 1 + turn % 4, Depth::u8}, 9);
        Resample resample = to_size(image, std::max(width / 2, 1), height + 1, ResampleFilter::lanczos3);
        resample.alpha = AlphaMode::straight;
        check(resample, image);
        resample.x.to = 2 * width;
        resample.y.to = std::max(height - 1, 1);
        check(resample, image);
        ++turn;
    }
}

TEST_CASE("lines and pairs make the same bits of the whole and of its parts") {
    // Widths beside those of groups and texels; from 1 pixel to many and back; windows of two pixels to
    // hundreds.
    const std::vector<Size> sources{{1, 1}, {61, 37}, {257, 5}, {521, 67}, {1999, 3}};
    const std::vector<Size> results{{1, 1}, {3, 90}, {31, 19}, {129, 33}, {257, 200}, {401, 61}, {700, 1}};
    int turn = 0;
    for (const auto& [from_width, from_height] : sources) {
        for (const auto& [width, height] : results) {
            const auto filter = enum_rows<ResampleFilter>[static_cast<std::size_t>(turn) % 6].value;
            const Image image =
                two_valued_image({from_width, from_height, 3 + turn++ % 2, Depth::u8}, 0, 1, 19);
            for (const ResampleFilter taken : {ResampleFilter::lanczos3, filter}) {
                Resample resample = to_size(image, width, height, taken);
                resample.alpha = AlphaMode::straight;
                resample.road = ResampleRoad::lines;
                const Image lines = made(resample, image, {0, 0, width, height});
                resample.road = ResampleRoad::pairs;
                INFO(describe(resample, image));
                CHECK_THAT(made(resample, image, {0, 0, width, height}), IsBitwise(lines));
                const Rect part{width / 3, height / 5, (width + 1) / 2, (height + 1) / 2};
                CHECK_THAT(made(resample, image, part), IsBitwise(cut(lines, part)));
            }
        }
    }
}

TEST_CASE("pairs of bytes that are drawn at random, against the definition") {
    const Image image = random_image({400, 150, 4, Depth::u8}, 20);
    for (const auto& [width, height] : {Size{200, 75}, Size{50, 300}, Size{601, 226}, Size{399, 149}}) {
        Resample resample = to_size(image, width, height, ResampleFilter::lanczos3);
        resample.alpha = AlphaMode::straight;
        resample.road = ResampleRoad::pairs;
        check(resample, image);
    }
}

TEST_CASE("colour is weighted by alpha") {
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        for (const int channels : {2, 4}) {
            const Image image = photo_like_image({61, 37, channels, depth}, 10);
            check(to_size(image, 31, 80, ResampleFilter::linear), image);
            // Weights below 0 may leave next to no alpha, and a quotient of floats that says little.
            check(
                to_size(image, 150, 11, depth == Depth::f32 ? ResampleFilter::box : ResampleFilter::mitchell),
                image);
        }
    }
    // A white square on transparent red stays white beyond its edge.
    Image square(40, 40, 4, Depth::u8);
    for (int y = 0; y < 40; ++y) {
        for (int x = 0; x < 40; ++x) {
            const bool inside = x >= 10 && x < 30 && y >= 10 && y < 30;
            set_value(square, x, y, 0, 1);
            set_value(square, x, y, 1, inside ? 1 : 0);
            set_value(square, x, y, 2, inside ? 1 : 0);
            set_value(square, x, y, 3, inside ? 1 : 0);
        }
    }
    const Image small = made(to_size(square, 13, 13, ResampleFilter::lanczos3), square, {0, 0, 13, 13});
    int seen = 0;
    for (int y = 0; y < 13; ++y) {
        for (int x = 0; x < 13; ++x) {
            if (small.at(x, y, 3) > 0) {
                CHECK(small.at(x, y, 1) == 255);
                ++seen;
            }
        }
    }
    CHECK(seen > 36);
}

TEST_CASE("light is mixed where that is asked for") {
    for (const Depth depth : {Depth::u8, Depth::u16}) {
        for (int channels = 1; channels <= 4; ++channels) {
            const Image image = photo_like_image({61, 37, channels, depth}, 11);
            Resample resample = to_size(image, 40, 60, ResampleFilter::cubic);
            resample.alpha = AlphaMode::straight;
            resample.linear = true;
            check(resample, image, on_the_curve);
            resample.y.to = 37;
            check(resample, image, on_the_curve);
        }
    }
    const Image image = two_valued_image({64, 1, 1, Depth::u8}, 0, 1, 2);
    Resample half = to_size(image, 1, 1, ResampleFilter::box);
    half.linear = true;
    const double share = [&] {
        double white = 0;
        for (int x = 0; x < 64; ++x) {
            white += image.at(x, 0, 0) / 255 / 64;
        }
        return white;
    }();
    const double code = 255 * (1.055 * std::pow(share, 1 / 2.4) - 0.055);
    CHECK(made(half, image, {0, 0, 1, 1}).at(0, 0, 0) == std::nearbyint(code));
}

TEST_CASE("a stretch of the source, such as what is left when the sides are cut off") {
    const Image image = photo_like_image({61, 37, 4, Depth::u8}, 12);
    for (const auto& row : enum_rows<ResampleFilter>) {
        Resample resample = to_size(image, 20, 20, row.value);
        resample.alpha = AlphaMode::straight;
        resample.x.begin = 12.25;
        resample.x.length = 36.5;
        check(resample, image);
        resample.x.to = 80;
        resample.y.to = 37;
        check(resample, image);
    }
}

TEST_CASE("a constant picture stays what it is") {
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        for (const double value : {0.0, 0.2, 1.0}) {
            const Image image = constant_image({101, 53, 4, depth}, value);
            for (const auto& [width, height] : new_sizes) {
                const Resample resample = to_size(image, width, height, ResampleFilter::lanczos3);
                const Image result = made(resample, image, {0, 0, width, height});
                const double tolerance = depth == Depth::f32 ? 1e-6 : 0;
                CHECK(std::abs(result.at(width / 2, height / 2, 1) - image.at(0, 0, 1)) <= tolerance);
                CHECK(std::abs(result.at(0, height - 1, 3) - image.at(0, 0, 3)) <= tolerance);
            }
        }
    }
}

TEST_CASE("the same size is the same picture, bit for bit, and nearest invents no pixel") {
    const Image image = random_image({33, 21, 4, Depth::f32}, 13, FloatRange::wide);
    CHECK_THAT(made(to_size(image, 33, 21, ResampleFilter::lanczos3), image, {0, 0, 33, 21}),
               IsBitwise(image));
    const Image transparent = random_image({5, 5, 4, Depth::u8}, 13);
    const Image large =
        made(to_size(transparent, 15, 10, ResampleFilter::nearest), transparent, {0, 0, 15, 10});
    for (int y = 0; y < 10; ++y) {
        for (int x = 0; x < 15; ++x) {
            for (int c = 0; c < 4; ++c) {
                REQUIRE(large.at(x, y, c) == transparent.at(x / 3, y / 2, c));
            }
        }
    }
}

TEST_CASE("long sums of floats stay within the tolerance") {
    const Image image = two_valued_image({5000, 3, 1, Depth::f32}, 0.1, 1, 14);
    check(to_size(image, 3, 2, ResampleFilter::lanczos3), image);
    check(to_size(image, 2, 7, ResampleFilter::box), image);
}

TEST_CASE("long lines come out right to their ends, where light is looked up, too") {
    const Image image = random_image({4, 3001, 1, Depth::u8}, 17);
    Resample resample = to_size(image, 3, 1400, ResampleFilter::linear);
    resample.linear = true;
    check(resample, image, on_the_curve);
    const Image wide = random_image({20011, 2, 1, Depth::u16}, 18);
    check(to_size(wide, 57, 2, ResampleFilter::linear), wide);
    check(to_size(wide, 40000, 1, ResampleFilter::linear), wide);
}

TEST_CASE("what is no finite number spreads as far as the filter reaches, and no farther") {
    for (const float hole :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        Image image = constant_image({60, 1, 1, Depth::f32}, 0.5);
        image.values<float>()[30] = hole;
        for (const int width : {20, 180}) {
            const Image result =
                made(to_size(image, width, 1, ResampleFilter::cubic), image, {0, 0, width, 1});
            for (int x = 0; x < width; ++x) {
                const double scale = 60.0 / width;
                const double distance = std::abs((x + 0.5) * scale - 30.5) / std::max(scale, 1.0);
                INFO(x << " of " << width << " at distance " << distance);
                if (distance > 2.01) {
                    CHECK(std::abs(result.values<float>()[static_cast<std::size_t>(x)] - 0.5F) < 1e-6F);
                } else if (distance < 1.99 && std::abs(distance - 1) > 0.01) { // where the weight is 0
                    CHECK_FALSE(std::isfinite(result.values<float>()[static_cast<std::size_t>(x)]));
                }
            }
        }
    }
}

TEST_CASE("short weights have 16 bits and add up to 1 exactly") {
    for (const int to : {1, 3, 30, 59, 61, 200}) {
        const Stretch stretch{61, to, 0, 61, ResampleFilter::lanczos3};
        for (int o = 0; o < to; ++o) {
            const Span window = window_of(stretch, o);
            const std::vector<double> exact = weights_of(stretch, o, window);
            const std::vector<double> rounded = short_weights(exact);
            CHECK(std::accumulate(rounded.begin(), rounded.end(), 0.0) == 1.0);
            for (std::size_t k = 0; k < rounded.size(); ++k) {
                int exponent = 0;
                const double mantissa = std::ldexp(std::frexp(rounded[k], &exponent), 16);
                CHECK(mantissa == std::nearbyint(mantissa));
                CHECK(std::abs(rounded[k] - exact[k]) < 1e-4);
            }
        }
    }
}
