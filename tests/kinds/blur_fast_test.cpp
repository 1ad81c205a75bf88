// The Gaussian whose cost does not grow with sigma: how near it is to the exact one, by itself and as a
// kernel.
#include "glproc/kinds/separable/fast_axis.hpp"
#include "glproc/kinds/separable/passes.hpp"
#include "glproc/ops/blur.hpp"

#include "support/catch.hpp"
#include "support/combinations.hpp"
#include "support/filter_cases.hpp"
#include "support/fixture.hpp"
#include "support/inputs.hpp"
#include "support/matchers.hpp"
#include "support/reference.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

/// Weights of values from `first` on.
struct Weights {
    int first = 0;
    std::vector<double> values;

    int end() const { return first + static_cast<int>(values.size()); }
    double at(int i) const {
        return i < first || i >= end() ? 0.0 : values[static_cast<std::size_t>(i - first)];
    }
};

int floor_div(int a, int b) {
    return static_cast<int>(std::floor(double(a) / b));
}

/// What pixel `x` of the result is made of, by way of all levels down and up again.
Weights footprint(const FastAxis& axis, int x) {
    const int width = axis.width;
    Weights weights{x, {1.0}};
    for (const FastLevel& level : axis.levels) {
        Weights samples{floor_div(weights.first, level.stride) - width + 1, {}};
        samples.values.resize(
            static_cast<std::size_t>(floor_div(weights.end() - 1, level.stride) - samples.first + 1));
        for (int i = weights.first; i < weights.end(); ++i) {
            const int stride = floor_div(i, level.stride);
            for (int k = 0; k < width; ++k) {
                samples.values[static_cast<std::size_t>(stride - width + 1 + k - samples.first)] +=
                    weights.at(i) *
                    level.up[static_cast<std::size_t>((i - stride * level.stride) * width + k)];
            }
        }
        weights = samples;
    }
    const int radius = static_cast<int>(axis.middle.size()) - 1;
    Weights blurred{weights.first - radius,
                    std::vector<double>(weights.values.size() + 2 * static_cast<std::size_t>(radius))};
    for (int i = weights.first; i < weights.end(); ++i) {
        for (int k = -radius; k <= radius; ++k) {
            blurred.values[static_cast<std::size_t>(i + k - blurred.first)] +=
                weights.at(i) * axis.middle[static_cast<std::size_t>(std::abs(k))];
        }
    }
    weights = blurred;
    for (auto level = axis.levels.rbegin(); level != axis.levels.rend(); ++level) {
        Weights pixels{weights.first * level->stride, {}};
        pixels.values.resize((weights.values.size() + static_cast<std::size_t>(width) - 1) *
                             static_cast<std::size_t>(level->stride));
        for (int i = weights.first; i < weights.end(); ++i) {
            for (std::size_t k = 0; k < level->down.size(); ++k) {
                pixels.values[static_cast<std::size_t>(i * level->stride - pixels.first) + k] +=
                    weights.at(i) * level->down[k];
            }
        }
        weights = pixels;
    }
    return weights;
}

/// How far the result can be from the exact Gaussian, for any values from 0 to 1 whatever: half of what the
/// weights differ by, as both add up to 1.
double worst_error(const FastAxis& axis, double sigma) {
    const int radius = static_cast<int>(9 * sigma);
    const std::vector<double> gauss = gaussian_taps(sigma, radius);
    double worst = 0;
    for (int x = 0; x < axis.factor(); x += 1 + axis.factor() / 12) {
        const Weights weights = footprint(axis, x);
        CHECK(weights.first >= x - axis.reach());
        CHECK(weights.end() - 1 <= x + axis.reach());
        double difference = 0;
        for (int i = std::min(weights.first, x - radius); i < std::max(weights.end(), x + radius + 1); ++i) {
            const int distance = std::abs(i - x);
            difference += std::abs(weights.at(i) -
                                   (distance > radius ? 0.0 : gauss[static_cast<std::size_t>(distance)]));
        }
        worst = std::max(worst, difference / 2);
    }
    return worst;
}

const std::vector<double> sigmas{4.0,  4.7,  5.9,  6.0,  8.9,   10.0,  13.0, 15.9,
                                 16.0, 27.9, 31.0, 50.0, 100.0, 200.0, 500.0};

/// Bars of every width up to 40 pixels from black to white, above noise of black and white, and a white pixel
/// in each corner: what a filter that is only near the Gaussian is worst at.
Image hard_image(const Shape& shape) {
    Image image = two_valued_image(shape, 0, 1, 41);
    for (int y = 0; y < shape.height / 2; ++y) {
        bool white = false;
        for (int x = 0, bar = 1; x < shape.width; x += bar, bar = bar % 40 + 1, white = !white) {
            for (int i = x; i < std::min(x + bar, shape.width); ++i) {
                for (int c = 0; c < shape.channels; ++c) {
                    set_value(image, i, y, c, white ? 1 : 0);
                }
            }
        }
    }
    for (const auto& [x, y] : {std::pair{0, 0}, {shape.width - 1, 0}, {0, shape.height - 1}}) {
        for (int c = 0; c < shape.channels; ++c) {
            set_value(image, x, y, c, 1);
        }
    }
    return image;
}

/// A hundredth of a step of 8 bits, and 3e-6 of full scale.
Tolerance tolerance_for(Depth depth) {
    return {depth == Depth::u8 ? 0.01 / 255 : 3e-6, 1.0};
}

Image fast(Blur blur, const Image& image) {
    blur.method = FilterMethod::fast;
    return gpu().download(blur(gpu(), gpu().upload(image)));
}

} // namespace

TEST_CASE("what a fast Gaussian sums is near the exact one, for no input whatever further off than said") {
    for (const double sigma : sigmas) {
        INFO("sigma " << sigma);
        CHECK(worst_error(plan_fast_axis(sigma, 5), sigma) < 2.5e-5);
        CHECK(worst_error(plan_fast_axis(sigma, 6), sigma) < 2.6e-6);
    }
}

TEST_CASE("the levels of a fast Gaussian never reduce more than they keep, nor grow in number") {
    for (double sigma = 4; sigma <= 1000; sigma *= 1.07) {
        for (const int width : {5, 6}) {
            const FastAxis axis = plan_fast_axis(sigma, width);
            CHECK(axis.levels.size() <= 3);
            CHECK(axis.factor() <= sigma);
            CHECK(axis.middle.size() <= 17); // a radius that `window` has room for
            CHECK(axis.reach() <= 12 * sigma);
            double sum = -axis.middle[0];
            for (const double tap : axis.middle) {
                sum += 2 * tap;
            }
            CHECK(sum == Approx(1).epsilon(1e-12));
        }
    }
}

TEST_CASE("a fast Gaussian is within 1/100 of a step of 8 bits of the exact one, and 3e-6 of other depths") {
    std::size_t turn = 0;
    int ran = 0;
    for (const double sigma : sigmas) {
        const std::vector<Border> borders = all_borders();
        for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
            const Border border = borders[turn++ % borders.size()];
            const Image image = hard_image({131 + static_cast<int>(turn % 7), 89, 1, depth});
            const Blur blur{.sigma = sigma, .truncate = 8, .border = border};
            if (sigma < least_fast_sigma || sigma > 200) {
                continue;
            }
            INFO(describe(blur) << " on " << describe(image));
            CHECK_THAT(fast(blur, image), Matches(expected(blur, image), tolerance_for(depth)));
            ++ran;
        }
    }
    CHECK(ran >= 35);
}

TEST_CASE("a fast Gaussian goes by the border that is asked for, whichever of the axes it reduces") {
    const std::vector<PerAxis<double>> pairs{{9.0, 0.0}, {0.0, 9.0}, {1.2, 20.0}, {33.0, 5.0}};
    for (const auto& [border, sigma, depth] :
         combinations(all_borders(), pairs, std::vector{Depth::u8, Depth::f32})) {
        const Image image = hard_image({75, 68, 3, depth});
        const Blur blur{.sigma = sigma, .truncate = 7, .border = border};
        INFO(describe(blur) << " on " << describe(image));
        CHECK_THAT(fast(blur, image), Matches(expected(blur, image), tolerance_for(depth)));
    }
}

TEST_CASE("a fast Gaussian of every channel count, depth and alpha is near the exact one") {
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        for (int channels = 1; channels <= 4; ++channels) {
            for (const AlphaMode alpha : alpha_modes(channels)) {
                const Blur blur{.sigma = {4.2, 11.0},
                                .truncate = 7,
                                .border = {BorderMode::constant, 0.4},
                                .alpha = alpha};
                const Image image = random_image({161, 97, channels, depth}, 43);
                INFO(describe(blur) << " on " << describe(image));
                CHECK_THAT(fast(blur, image), Matches(expected(blur, image),
                                                      Tolerance{1e-5 + tolerance_for(depth).relative, 1.0}));
            }
        }
    }
}

TEST_CASE("a fast Gaussian leaves a constant image as it is, whatever the border") {
    for (const BorderMode border :
         {BorderMode::clamp, BorderMode::mirror, BorderMode::symmetric, BorderMode::wrap}) {
        for (const double sigma : {4.0, 5.0, 24.0, 130.0}) {
            const Image image = constant_image({150, 100, 4, Depth::u8}, 0.7);
            CHECK_THAT(fast({.sigma = sigma, .border = border}, image), IsBitwise(image));
        }
    }
}

TEST_CASE("a Gaussian that is cut short is exact, also where a fast one was asked for") {
    const Image image = hard_image({91, 77, 1, Depth::f32});
    for (const double truncate : {1.0, 2.0, 3.9}) {
        const Blur blur{.sigma = 6, .truncate = truncate};
        CHECK_THAT(fast(blur, image), Matches(expected(blur, image)));
    }
}

namespace {

/// Checks that groups and walking invocations give the same bits.
void check_roads(const SeparableFilter& filter, const Image& image) {
    const GpuImage src = gpu().upload(image);
    const Image by_groups = gpu().download(run_fast_blur(gpu(), src, filter, FastRoad::groups));
    CHECK_THAT(gpu().download(run_fast_blur(gpu(), src, filter, FastRoad::walk)), IsBitwise(by_groups));
}

/// Every stride, the same along both axes and not, axes that are not reduced, and two and three levels; from
/// number `turn` on.
void check_roads_of_forms(Depth depth, std::size_t turn) {
    const std::vector<PerAxis<double>> all_sigmas{
        4.0, 6.0, 8.5, 10.0, 12.0, 14.0, 16.0, {0.0, 10.0}, {14.0, 0.9}, {5.0, 20.0}, {33.0, 7.0}, 140.0};
    const std::vector<Border> borders = all_borders();
    const std::size_t first = turn;
    for (int channels = 1; channels <= 4; ++channels) {
        for (const AlphaMode alpha : alpha_modes(channels)) {
            for (int i = 0; i < 2; ++i) {
                const Blur blur{.sigma = all_sigmas[turn % all_sigmas.size()],
                                .border = borders[turn % borders.size()],
                                .alpha = alpha};
                ++turn;
                const Image image = random_image({173 - i, 211 + i, channels, depth}, 47);
                INFO(describe(blur) << " on " << describe(image));
                check_roads(gaussian_filter(blur), image);
            }
        }
    }
    CHECK(turn >= first + all_sigmas.size());
}

} // namespace

// A test for each depth: drivers that compile slowly take minutes for all three.
TEST_CASE("both roads of a fast Gaussian of 8 bits give the same bits, for every stride, border and form") {
    check_roads_of_forms(Depth::u8, 0);
}

TEST_CASE("both roads of a fast Gaussian of 16 bits give the same bits, for every stride, border and form") {
    check_roads_of_forms(Depth::u16, 7);
}

TEST_CASE("both roads of a fast Gaussian of floats give the same bits, for every stride, border and form") {
    check_roads_of_forms(Depth::f32, 14);
}

TEST_CASE(
    "both roads of a fast Gaussian give the same bits where they sharpen, and of the smallest pictures") {
    SeparableFilter filter = gaussian_filter({.sigma = 10, .border = {BorderMode::mirror}});
    for (const Size& size : awkward_sizes()) {
        const Depth depth = size.width % 2 == 0 ? Depth::f32 : Depth::u8;
        const Image image = random_image({size.width, size.height, 4, depth}, 48);
        INFO(describe(image));
        check_roads(filter, image);
    }
    filter.nan = NanMode::propagate;
    filter.sharpening = Sharpening{.amount = 1.5, .threshold = 0.02};
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        check_roads(filter, random_image({161, 97, 4, depth}, 49));
    }
}

TEST_CASE("a fast Gaussian that walks uses many invocations a column and row, and gives the same bits") {
    check_roads(gaussian_filter({.sigma = 4}), random_image({509, 401, 3, Depth::u8}, 50));
    check_roads(gaussian_filter({.sigma = 5}), random_image({1021, 499, 1, Depth::u16}, 51));
}
