// spots: a naive filter in doubles over whole windows, and all pairs of what it finds.
#include "glproc/ops/spots.hpp"

#include "glproc/base/error.hpp"
#include "support/catch.hpp"
#include "support/inputs.hpp"
#include "support/reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

using SpotLayer = std::vector<double>;

/// A Gaussian, and minus its second derivative times the square of sigma.
struct Bell {
    explicit Bell(double sigma) : reach(static_cast<int>(4 * sigma + 0.5)) {
        double sum = 0;
        for (int i = -reach; i <= reach; ++i) {
            sum += std::exp(-i * i / (2 * sigma * sigma));
        }
        for (int i = -reach; i <= reach; ++i) {
            plain.push_back(std::exp(-i * i / (2 * sigma * sigma)) / sum);
            bent.push_back(plain.back() * (1 - i * i / (sigma * sigma)));
        }
    }
    int reach;
    std::vector<double> plain;
    std::vector<double> bent;
};

SpotLayer naive_layer(const Image& image, double sigma, bool is_log) {
    const Bell bell(sigma);
    SpotLayer layer;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            double sum = 0;
            for (int dy = -bell.reach; dy <= bell.reach; ++dy) {
                for (int dx = -bell.reach; dx <= bell.reach; ++dx) {
                    const auto j = static_cast<std::size_t>(dy + bell.reach);
                    const auto i = static_cast<std::size_t>(dx + bell.reach);
                    const double weight = is_log ? bell.bent[j] * bell.plain[i] + bell.plain[j] * bell.bent[i]
                                                 : bell.plain[j] * bell.plain[i];
                    const double value =
                        image.at(test::border_index(BorderMode::symmetric, x + dx, image.width()),
                                 test::border_index(BorderMode::symmetric, y + dy, image.height()), 0);
                    sum += weight * value / max_code(image.depth());
                }
            }
            layer.push_back(sum);
        }
    }
    return layer;
}

struct NaiveScales {
    std::vector<double> radii;
    std::vector<SpotLayer> layers;
};

NaiveScales naive_scales(const Spots& op, const Image& image) {
    NaiveScales scales;
    const double root = std::numbers::sqrt2;
    if (op.method == SpotMethod::log) {
        for (int i = 0; i < 10; ++i) {
            scales.radii.push_back(op.radius.x + i * (op.radius.y - op.radius.x) / 9);
            scales.layers.push_back(naive_layer(image, scales.radii.back() / root, true));
        }
        return scales;
    }
    const int steps = static_cast<int>(std::log(op.radius.y / op.radius.x) / std::log(1.6) + 1);
    for (int i = 0; i < steps; ++i) {
        scales.radii.push_back(op.radius.x * std::pow(1.6, i));
        SpotLayer layer = naive_layer(image, scales.radii.back() / root, false);
        const SpotLayer next = naive_layer(image, 1.6 * scales.radii.back() / root, false);
        std::ranges::transform(layer, next, layer.begin(), [](double a, double b) { return (a - b) / 0.6; });
        scales.layers.push_back(layer);
    }
    return scales;
}

bool is_peak(const NaiveScales& scales, int scale, int x, int y, int width, int height) {
    const auto at = [&](int s, int u, int v) {
        return scales.layers[static_cast<std::size_t>(s)][static_cast<std::size_t>(v * width + u)];
    };
    for (int i = 0; i < 27; ++i) {
        const int s = scale - 1 + i / 9;
        const int u = x - 1 + i % 3;
        const int v = y - 1 + i / 3 % 3;
        const bool is_inside = s >= 0 && s < static_cast<int>(scales.layers.size()) && u >= 0 && v >= 0 &&
                               u < width && v < height;
        if (is_inside && at(s, u, v) > at(scale, x, y)) {
            return false;
        }
    }
    return true;
}

/// By counting points of a fine grid over the smaller disc.
double naive_share(const Spot& small, const Spot& large) {
    int inside = 0;
    int both = 0;
    for (int i = 0; i < 400 * 400; ++i) {
        const double dx = (i % 400 - 199.5) / 200 * small.radius;
        const double dy = (i / 400 - 199.5) / 200 * small.radius;
        const bool is_inside = std::hypot(dx, dy) <= small.radius;
        inside += is_inside ? 1 : 0;
        both +=
            is_inside && std::hypot(small.x + dx - large.x, small.y + dy - large.y) <= large.radius ? 1 : 0;
    }
    return double(both) / inside;
}

std::vector<Spot> naive_spots(const Spots& op, const Image& image) {
    const NaiveScales scales = naive_scales(op, image);
    std::vector<Spot> found;
    for (int s = static_cast<int>(scales.layers.size()) - 1; s >= 0; --s) {
        std::vector<Spot> same;
        for (int i = 0; i < image.width() * image.height(); ++i) {
            const double value = scales.layers[static_cast<std::size_t>(s)][static_cast<std::size_t>(i)];
            if (value > *op.threshold &&
                is_peak(scales, s, i % image.width(), i / image.width(), image.width(), image.height())) {
                same.push_back({double(i % image.width()), double(i / image.width()),
                                scales.radii[static_cast<std::size_t>(s)], value});
            }
        }
        std::ranges::sort(same, {}, &Spot::quality);
        for (const Spot& spot : same) {
            const auto covers = [&](const Spot& larger) {
                return std::hypot(spot.x - larger.x, spot.y - larger.y) < spot.radius + larger.radius &&
                       naive_share(spot, larger) > op.overlap;
            };
            if (std::ranges::none_of(found, covers)) {
                found.push_back(spot);
            }
        }
    }
    std::ranges::sort(found, [](const Spot& a, const Spot& b) { return a.quality > b.quality; });
    return found;
}

Image discs(Depth depth) {
    Image image = constant_image({47, 38, 1, depth}, 0.1);
    for (const auto& [cx, cy, r] : {std::array{9.0, 9.0, 3.0},
                                    {26.0, 12.0, 5.0},
                                    {12.5, 27.5, 4.0},
                                    {37.0, 29.0, 2.0},
                                    {41.0, 29.0, 2.5}}) {
        for (int i = 0; i < 47 * 38; ++i) {
            if (std::hypot(i % 47 - cx, i / 47 - cy) <= r) {
                set_value(image, i % 47, i / 47, 0, 0.8);
            }
        }
    }
    return image;
}

} // namespace

TEST_CASE("spots: the maxima of every filter over places and sizes, in every depth") {
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        for (const SpotMethod method : {SpotMethod::log, SpotMethod::dog}) {
            for (const Image& image : {discs(depth), random_image({31, 17, 1, depth}, 5)}) {
                const Spots op{.radius = {1.5, 5}, .method = method, .threshold = 0.08, .overlap = 0.4};
                const std::vector<Spot> answer = naive_spots(op, image);
                const std::vector<Spot> got = op(image);
                INFO(name_of(method) << " " << name_of(depth));
                REQUIRE(got.size() == answer.size());
                CHECK(got.size() > 3);
                for (std::size_t i = 0; i < got.size(); ++i) {
                    CHECK(got[i].x == answer[i].x);
                    CHECK(got[i].y == answer[i].y);
                    CHECK(std::abs(got[i].radius - answer[i].radius) < 1e-9);
                    CHECK(std::abs(got[i].quality - answer[i].quality) < 1e-9);
                }
            }
        }
    }
}

TEST_CASE("spots: a disc between pixels is found there, and by its Hessian, too") {
    const Image image = discs(Depth::f32);
    const std::vector<Spot> found = Spots{.radius = {2, 7}, .threshold = 0.2, .subpixel = true}(image);
    CHECK(std::ranges::any_of(found, [](const Spot& spot) {
        return std::hypot(spot.x - 12.5, spot.y - 27.5) < 0.1 && std::abs(spot.radius - 4) < 0.6;
    }));
    const std::vector<Spot> by_boxes =
        Spots{.radius = {3, 7}, .method = SpotMethod::doh, .threshold = 0.01}(image);
    CHECK(std::ranges::any_of(by_boxes,
                              [](const Spot& spot) { return std::hypot(spot.x - 26, spot.y - 12) < 2; }));
}

TEST_CASE("spots: nothing in pictures of one value or one pixel, nor near NaN") {
    for (const SpotMethod method : {SpotMethod::log, SpotMethod::dog, SpotMethod::doh}) {
        for (const Size& size : {Size{1, 1}, Size{1, 9}, Size{9, 1}, Size{13, 8}}) {
            const Spots op{.radius = {1, 200}, .method = method, .threshold = 0.01};
            const std::size_t flat = op(constant_image({size.width, size.height, 3, Depth::u8}, 0.7)).size();
            CHECK((method == SpotMethod::doh || flat == 0)); // boxes are cut at the edges
            CHECK(op(constant_image({size.width, size.height, 2, Depth::f32},
                                    std::numeric_limits<double>::quiet_NaN()))
                      .empty());
        }
    }
}

TEST_CASE("spots: radii that cannot be are refused") {
    const Image image(9, 7, 1, Depth::u8);
    for (const PerAxis<double>& radius : {PerAxis<double>{0.5, 3}, {3, 201}, {5, 2}, {std::nan(""), 3}}) {
        CHECK_THROWS_AS(Spots{.radius = radius}(image), Error);
    }
    CHECK_THROWS_AS((Spots{.radius = {2, 3}, .overlap = 1.5}(image)), Error);
    CHECK_THROWS_AS((Spots{.radius = {2, 3}, .threshold = -1}(image)), Error);
}
