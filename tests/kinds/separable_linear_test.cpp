// Filters of linear light.
#include "support/catch.hpp"
#include "support/filter_cases.hpp"
#include "support/inputs.hpp"
#include "support/matchers.hpp"

#include "glproc/math/srgb.hpp"

#include <cmath>
#include <numeric>

using namespace glproc;
using namespace glproc::test;

namespace {

// The curve once more, from its standard.
double light_of(double encoded) {
    return encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
}

double code_of(double light) {
    return light <= 0.0031308 ? 12.92 * light : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
}

/// Runs work(value, whether it is alpha) for every value.
template <class Work>
void each_value(Reference& image, Work work) {
    const bool has_alpha = image.channels % 2 == 0;
    for (std::size_t i = 0; i < image.values.size(); ++i) {
        const auto channel = static_cast<int>(i % static_cast<std::size_t>(image.channels));
        work(image.values[i], has_alpha && channel == image.channels - 1);
    }
}

Reference expected_linear(const Image& image, const Blur& blur) {
    const double full = max_code(image.depth());
    Image light = with_depth(image, Depth::f32);
    Reference exact = reference_of(image);
    each_value(exact, [&](double& v, bool is_alpha) { v = is_alpha ? v / full : light_of(v / full); });
    for (std::size_t i = 0; i < exact.values.size(); ++i) {
        light.values<float>()[i] = static_cast<float>(exact.values[i]);
    }
    Border border = blur.border;
    border.value = light_of(std::nearbyint(border.value * full) / full);
    Reference answer = filter(light, gaussian_weights(blur.sigma.x, blur.radius->x),
                              gaussian_weights(blur.sigma.y, blur.radius->y), border, blur.alpha);
    answer.depth = image.depth();
    answer.full_scale = full;
    each_value(answer, [&](double& v, bool is_alpha) { v = full * (is_alpha ? v : code_of(v)); });
    return answer;
}

/// The curve is steepest at black: an error of 1e-6 of linear light is 12.92 times that on it.
constexpr Tolerance on_the_curve{12.92e-6, 0.001};

} // namespace

TEST_CASE("the curve and its inverse") {
    CHECK(linear_of_srgb(0) == 0);
    CHECK(linear_of_srgb(1) == 1);
    CHECK(srgb_of_linear(1) == Approx(1).margin(1e-15));
    CHECK(linear_of_srgb(0.5) == Approx(0.21404114).margin(1e-8));
    for (int code = 0; code <= 65535; ++code) {
        const double v = code / 65535.0;
        REQUIRE(std::abs(srgb_of_linear(linear_of_srgb(v)) - v) < 1e-9);
    }
}

TEST_CASE("light is mixed, not codes, whatever the method, border and alpha mode") {
    int cases = 0;
    for (const Depth depth : {Depth::u8, Depth::u16}) {
        for (int channels = 1; channels <= 4; ++channels) {
            for (const AlphaMode alpha : alpha_modes(channels)) {
                const Border border = all_borders()[static_cast<std::size_t>(cases) % 5];
                Blur blur{.sigma = {1.5, 1},
                          .radius = PerAxis<int>{5, 3},
                          .border = border,
                          .alpha = alpha,
                          .linear = true};
                const Image image = photo_like_image({61, 37, channels, depth});
                const Reference answer = expected_linear(image, blur);
                for (const FilterMethod method : {FilterMethod::automatic, FilterMethod::cpu,
                                                  FilterMethod::direct, FilterMethod::tiled}) {
                    blur.method = method;
                    INFO(describe(blur) << " on " << describe(image));
                    CHECK_THAT(gpu().download(blur(gpu(), gpu().upload(image))),
                               Matches(answer, on_the_curve));
                    ++cases;
                }
            }
        }
    }
    CHECK(cases == 2 * 8 * 4);
}

TEST_CASE("every code survives the way to linear light and back") {
    for (const Depth depth : {Depth::u8, Depth::u16}) {
        for (const int channels : {1, 2, 4}) {
            Image image(256, depth == Depth::u8 ? 1 : 256, channels, depth);
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < 256; ++x) {
                    for (int c = 0; c < channels; ++c) {
                        set_value(image, x, y, c, (y * 256 + x) / max_code(depth));
                    }
                }
            }
            const Blur nothing{.sigma = 0.01, .radius = 1, .alpha = AlphaMode::straight, .linear = true};
            CHECK_THAT(gpu().download(nothing(gpu(), gpu().upload(image))), IsBitwise(image));
        }
    }
}

TEST_CASE("black and white mix as light does") {
    Image image(2, 1, 1, Depth::u8);
    image.values<std::uint8_t>()[1] = 255;
    const Box box{.radius = {1, 0}, .border = BorderMode::wrap, .linear = true};
    // Three pixels wide, of which the neighbour counts twice: 1/3 and 2/3 of the light.
    const Image mixed = gpu().download(box(gpu(), gpu().upload(image)));
    CHECK(mixed.at(0, 0, 0) == std::nearbyint(255 * code_of(2 / 3.0)));
    CHECK(mixed.at(1, 0, 0) == std::nearbyint(255 * code_of(1 / 3.0)));
}

TEST_CASE("float images are linear light already") {
    const Image image = random_image({40, 30, 3, Depth::f32}, 2, FloatRange::wide);
    const Image plain = gpu().download(Blur{.sigma = 2}(gpu(), gpu().upload(image)));
    const Image linear = gpu().download(Blur{.sigma = 2, .linear = true}(gpu(), gpu().upload(image)));
    CHECK_THAT(linear, IsBitwise(plain));
}
