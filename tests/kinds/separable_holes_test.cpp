// Float images with NaN and infinities: the rule, by every method of every separable filter.
#include "support/catch.hpp"
#include "support/filter_cases.hpp"
#include "support/inputs.hpp"
#include "support/matchers.hpp"


#include <cmath>
#include <limits>
#include <numeric>

using namespace glproc;
using namespace glproc::test;

namespace {

/// Noise in which about one value in `every` is no finite number, and one corner nothing but NaN.
Image image_with_holes(const Shape& shape, std::uint32_t every) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    Image image = random_image(shape, 5, FloatRange::unit);
    const std::span<float> values = image.values<float>();
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (hash_01(3, static_cast<std::uint32_t>(i)) * every < 1) {
            values[i] = i % 3 == 0 ? infinity : i % 3 == 1 ? -infinity : nan;
        }
        const auto pixel = static_cast<int>(i) / shape.channels;
        if (pixel % shape.width < 12 && pixel / shape.width < 9) {
            values[i] = nan;
        }
    }
    return image;
}

/// One value of the answer: weights of finite values alone, made to add up to 1.
double mean_around(const Image& image, const Blur& blur, const std::vector<double>& weights_x,
                   const std::vector<double>& weights_y, int x, int y, int channel) {
    const bool weighted = image.has_alpha() && blur.alpha == AlphaMode::premultiply;
    const int last = image.channels() - 1;
    const bool is_alpha = image.has_alpha() && channel == last;
    const auto rx = static_cast<int>(weights_x.size() / 2);
    const auto ry = static_cast<int>(weights_y.size() / 2);
    double sum = 0;
    double share = 0;
    double alphas = 0;
    for (int dy = -ry; dy <= ry; ++dy) {
        for (int dx = -rx; dx <= rx; ++dx) {
            const int from_x = border_index(blur.border.mode, x + dx, image.width());
            const int from_y = border_index(blur.border.mode, y + dy, image.height());
            const bool outside = from_x < 0 || from_y < 0;
            const double value =
                outside ? (is_alpha ? 0.0 : blur.border.value) : image.at(from_x, from_y, channel);
            double alpha = 1;
            if (weighted) {
                alpha = outside ? 0.0 : image.at(from_x, from_y, last);
                alpha = std::isfinite(alpha) ? alpha : 0.0; // such a pixel is transparent
            }
            const double weight =
                weights_x[static_cast<std::size_t>(dx + rx)] * weights_y[static_cast<std::size_t>(dy + ry)];
            alphas += weight * alpha;
            if (weighted && is_alpha) {
                continue;
            }
            if (std::isfinite(value)) {
                sum += weight * alpha * value;
                share += weight * alpha;
            }
        }
    }
    if (weighted && is_alpha) {
        return alphas;
    }
    return alphas == 0 ? 0.0 : share == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / share;
}

Reference expected_around(const Image& image, const Blur& blur) {
    Reference answer = reference_of(image);
    answer.full_scale = 1;
    const std::vector<double> weights_x = gaussian_weights(blur.sigma.x, blur.radius->x);
    const std::vector<double> weights_y = gaussian_weights(blur.sigma.y, blur.radius->y);
    const bool keeps_alpha = image.has_alpha() && blur.alpha == AlphaMode::ignore;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            for (int c = 0; c < image.channels() - (keeps_alpha ? 1 : 0); ++c) {
                answer.at(x, y, c) = mean_around(image, blur, weights_x, weights_y, x, y, c);
            }
        }
    }
    return answer;
}

} // namespace

TEST_CASE("holes have no weight, whatever the method, border and alpha mode") {
    int cases = 0;
    for (int channels = 1; channels <= 4; ++channels) {
        for (const AlphaMode alpha : alpha_modes(channels)) {
            for (const Border& border : all_borders()) {
                Blur blur{.sigma = {1.5, 1}, .radius = PerAxis<int>{5, 3}, .border = border, .alpha = alpha};
                const Image image = image_with_holes({43, 29, channels, Depth::f32}, 4);
                const Reference answer = expected_around(image, blur);
                for (const FilterMethod method : {FilterMethod::cpu, FilterMethod::direct, FilterMethod::walk,
                                                  FilterMethod::window, FilterMethod::tiled}) {
                    blur.method = method;
                    INFO(describe(blur) << " on " << describe(image));
                    CHECK_THAT(gpu().download(blur(gpu(), gpu().upload(image))), Matches(answer));
                    ++cases;
                }
            }
        }
    }
    CHECK(cases == 8 * 5 * 5);
}

TEST_CASE("a wide blur goes around holes by its fast method, too") {
    const Image image = image_with_holes({150, 110, 3, Depth::f32}, 20);
    Blur blur{.sigma = 6, .radius = PerAxis<int>{24, 24}, .method = FilterMethod::fast};
    CHECK_THAT(gpu().download(blur(gpu(), gpu().upload(image))),
               Matches(expected_around(image, blur), near_enough));
}

TEST_CASE("what a filter cannot see of a hole stays the same bit for bit") {
    const Image whole = random_image({200, 90, 4, Depth::f32}, 8, FloatRange::unit);
    Image holed = whole;
    holed.values<float>()[0] = std::numeric_limits<float>::quiet_NaN();
    for (const auto& row : enum_rows<FilterMethod>) {
        const Blur blur{.sigma = 3, .method = row.value, .alpha = AlphaMode::straight};
        if (row.value == FilterMethod::tiled) {
            continue; // has no room for this radius everywhere
        }
        INFO(row.name);
        const Image a = gpu().download(blur(gpu(), gpu().upload(whole)));
        const Image b = gpu().download(blur(gpu(), gpu().upload(holed)));
        int different = 0;
        int seen = 0;
        for (int y = 0; y < a.height(); ++y) {
            for (int x = 0; x < a.width(); ++x) {
                for (int c = 0; c < 4; ++c) {
                    const bool near = x <= 20 && y <= 20;
                    different += near ? 0 : a.at(x, y, c) != b.at(x, y, c);
                    seen += near && a.at(x, y, c) != b.at(x, y, c);
                }
            }
        }
        CHECK(different == 0);
        CHECK(seen > 0);
    }
}

TEST_CASE("plain arithmetic spreads a NaN as far as the filter reaches") {
    Image image = constant_image({21, 21, 1, Depth::f32}, 0.5);
    image.values<float>()[10 * 21 + 10] = std::numeric_limits<float>::quiet_NaN();
    const Box plain{.radius = 2, .method = FilterMethod::direct, .nan = NanMode::propagate};
    const Image spread = gpu().download(plain(gpu(), gpu().upload(image)));
    const Image mended = gpu().download(Box{.radius = 2}(gpu(), gpu().upload(image)));
    CHECK(std::isnan(spread.at(10, 10, 0)));
    CHECK(std::isnan(spread.at(12, 12, 0)));
    CHECK(spread.at(10, 14, 0) == 0.5);
    const Reference whole = reference_of(constant_image({21, 21, 1, Depth::f32}, 0.5));
    CHECK_THAT(mended, Matches(whole));
}
