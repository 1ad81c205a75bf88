// The box of floats whose cost does not grow with the radius.
#include "glproc/kinds/separable/passes.hpp"

#include "support/catch.hpp"
#include "support/filter_cases.hpp"
#include "support/fixture.hpp"
#include "support/inputs.hpp"
#include "support/matchers.hpp"
#include "support/tiled.hpp"

#include <array>
#include <cmath>
#include <limits>

using namespace glproc;
using namespace glproc::test;

namespace {

Image boxed(const Box& box, const Image& image) {
    const SeparableFilter filter{.name = "box",
                                 .radius = box.radius,
                                 .border = box.border,
                                 .alpha = box.alpha,
                                 .border_alpha = box.border.alpha()};
    return gpu().download(run_box_of_floats(gpu(), gpu().upload(image), filter));
}

void check(const Box& box, const Image& image) {
    INFO(describe(box) << " on " << describe(image));
    CHECK_THAT(boxed(box, image), Matches(expected(box, image)));
}

Image floats(int width, int height, int channels, std::uint32_t seed) {
    return random_image({width, height, channels, Depth::f32}, seed);
}

} // namespace

TEST_CASE("a fast box of floats gives the answer for every border, channel count and alpha") {
    for (const Border& border : all_borders()) {
        for (const auto& [channels, alpha] : {std::pair{1, AlphaMode::straight},
                                              {2, AlphaMode::premultiply},
                                              {3, AlphaMode::straight},
                                              {4, AlphaMode::premultiply}}) {
            check({.radius = {21, 13}, .border = border, .alpha = alpha}, floats(61, 53, channels, 61));
        }
    }
}

TEST_CASE("beyond a fast box of floats may lie a colour, weighted by its alpha") {
    const Border half(Colour{0.1, 0.9, 0.3, 0.5});
    check({.radius = {21, 13}, .border = half}, floats(40, 50, 4, 60));
    check({.radius = {0, 13}, .border = half}, floats(40, 50, 4, 60));
}

TEST_CASE("a fast box of floats gives the answer for every awkward size, also within its radius") {
    std::size_t next = 0;
    for (const Size& size : awkward_sizes()) {
        for (const int radius : {13, 40}) {
            for (const int channels : {1, 4}) {
                const Border border = all_borders()[next++ % all_borders().size()];
                check({.radius = radius, .border = border}, floats(size.width, size.height, channels, 62));
            }
        }
    }
}

// Both sizes of spans, and spans of every length from none to a few blocks.
TEST_CASE("a fast box of floats gives the answer for every radius") {
    for (int radius = 8; radius <= 40; ++radius) {
        check({.radius = {radius, 48 - radius}, .border = {BorderMode::mirror}},
              floats(97, 71, 1 + radius % 4, 63));
    }
    for (const int radius : {100, 143, 144, 271, 272, 1031}) {
        check({.radius = {radius, 16}, .border = {BorderMode::wrap}}, floats(601, 5, 1, 64));
        check({.radius = {16, radius}, .border = {BorderMode::symmetric}}, floats(5, 601, 3, 65));
    }
    for (const auto& [x, y] : {std::pair{0, 20}, {20, 0}}) {
        for (const AlphaMode alpha : {AlphaMode::straight, AlphaMode::premultiply}) {
            check({.radius = {x, y}, .border = {BorderMode::constant, 0.3}, .alpha = alpha},
                  floats(41, 47, 4, 66));
        }
    }
}

TEST_CASE("a fast box of floats does not drift along a line, nor where values add up one way") {
    for (const bool tall : {false, true}) {
        for (const int radius : {100, 1000}) {
            const Box box{.radius = {tall ? 0 : radius, tall ? radius : 0}};
            check(box, constant_image({tall ? 1 : 9001, tall ? 9001 : 1, 1, Depth::f32}, 0.7));
            check(box, floats(tall ? 2 : 9001, tall ? 9001 : 2, 1, 67));
        }
    }
}

// Plainly added, each 1 would be lost beside 2^24.
TEST_CASE("a fast box of floats keeps what the additions of a block lose") {
    constexpr int first = 96; // of a block, as the radius is a multiple of its 16 pixels
    constexpr int radius = 32;
    for (const bool tall : {false, true}) {
        Image image = constant_image({tall ? 1 : 200, tall ? 200 : 1, 1, Depth::f32}, 0);
        const auto set = [&](int at, float value) {
            set_value(image, tall ? 0 : at, tall ? at : 0, 0, value);
        };
        set(first, 0x1p24F);
        for (int i = 1; i < 15; ++i) {
            set(first + i, 1);
        }
        set(first + 15, -0x1p24F);
        const Image means = boxed({.radius = {tall ? 0 : radius, tall ? radius : 0}}, image);
        for (int at = first + 15 - radius; at <= first + radius; ++at) { // whose box has the whole block
            INFO(at);
            CHECK(means.at(tall ? 0 : at, tall ? at : 0, 0) * (2 * radius + 1) == Approx(14));
        }
    }
}

// With running sums that lose what goes out again, a large value leaves its rounding behind.
TEST_CASE("what lies outside a fast box does not change a bit of it, however large, nor if it is no number") {
    const Image plain = random_image({150, 130, 4, Depth::f32}, 68, FloatRange::wide);
    constexpr std::array odd{1e30F, -1e30F, std::numeric_limits<float>::infinity(),
                             -std::numeric_limits<float>::infinity(),
                             std::numeric_limits<float>::quiet_NaN()};
    const Box box{.radius = {21, 13}, .alpha = AlphaMode::straight};
    const Image without = boxed(box, plain);
    for (const float value : odd) {
        Image image = plain;
        set_value(image, 70, 60, 1, value);
        const Image result = boxed(box, image);
        int wrong = 0;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                const bool sees = std::abs(x - 70) <= 21 && std::abs(y - 60) <= 13;
                for (int c = 0; c < 4; ++c) {
                    const double got = result.at(x, y, c);
                    const bool is_right = !sees || c != 1        ? got == without.at(x, y, c)
                                          : std::isfinite(value) ? std::abs(got * 43 * 27 / value - 1) < 1e-6
                                          : std::isnan(value)    ? std::isnan(got)
                                                                 : got == value;
                    wrong += is_right ? 0 : 1;
                }
            }
        }
        INFO(value);
        CHECK(wrong == 0);
    }
}

TEST_CASE("a fast box of floats has the same bits in tiles") {
    for (const auto& [radius_x, radius_y] : {std::pair{13, 20}, {30, 8}, {50, 40}}) {
        for (const Border& border : all_borders()) {
            const Box box{.radius = {radius_x, radius_y}, .border = border, .method = FilterMethod::fast};
            for (const auto& [width, channels] : {std::pair{1100, 1}, {620, 2}, {333, 4}}) {
                const Image image = random_image({width, 301, channels, Depth::f32}, 69, FloatRange::wide);
                const Image all = whole(box, image);
                const ScopedLimits limits("texture_size:256", plenty);
                INFO(describe(box) << " on " << describe(image));
                CHECK_THAT(tiled(box, image), IsBitwise(all));
            }
        }
    }
}

TEST_CASE("a fast box of floats has the same bits wherever along a line an invocation begins") {
    const Box box{.radius = {100, 8}, .method = FilterMethod::fast};
    const Image image =
        random_image({9001, 3, 1, Depth::f32}, 70, FloatRange::wide); // several invocations a line
    const Image all = whole(box, image);
    const ScopedLimits limits("texture_size:1024", plenty);
    CHECK_THAT(tiled(box, image), IsBitwise(all));
}

TEST_CASE("a wide box of floats goes fast by itself, on every device alike") {
    const auto goes_fast = [](int x, int y, Form form, AlphaMode alpha = AlphaMode::premultiply) {
        return chosen_method(gpu(), form, {.name = "box", .radius = {x, y}, .alpha = alpha}) ==
               FilterMethod::fast;
    };
    const Form form{400, 300, 4, Depth::f32};
    CHECK(goes_fast(13, 13, form));
    CHECK(goes_fast(13, 0, form));
    CHECK(goes_fast(0, 200, form));
    CHECK_FALSE(goes_fast(12, 12, form));
    CHECK_FALSE(goes_fast(13, 7, form)); // shorter than a block
    CHECK_FALSE(goes_fast(13, 13, form, AlphaMode::ignore));
    CHECK_FALSE(
        goes_fast(2000, 2000, {20, 20, 1, Depth::f32})); // direct sums of 20 are less than two of 2000
    CHECK_FALSE(goes_fast(1040, 8, {20000, 20000, 1, Depth::f32}));
}
