#include "glproc/ops/denoise.hpp"

#include "support/catch.hpp"
#include "support/fixture.hpp"
#include "support/hidden.hpp"
#include "support/inputs.hpp"
#include "support/matchers.hpp"
#include "support/reference.hpp"
#include "support/tiled.hpp"

#include <array>
#include <cmath>
#include <limits>

using namespace glproc;
using namespace glproc::test;

namespace {

/// The definition, pixel by pixel.
Reference right_answer(const Denoise& op, const Image& given) {
    const Image image = with_hidden_filled(given, op.search + op.patch, BorderMode::mirror);
    const int colours = image.channels() < 3 ? 1 : 3;
    const double full = max_code(image.depth());
    const auto value = [&](int x, int y, int c) {
        return image.at(border_index(BorderMode::mirror, x, image.width()),
                        border_index(BorderMode::mirror, y, image.height()), c) /
               full;
    };
    const auto distance = [&](int x, int y, int dx, int dy) {
        double sum = 0;
        for (int v = y - op.patch; v <= y + op.patch; ++v) {
            for (int u = x - op.patch; u <= x + op.patch; ++u) {
                for (int c = 0; c < colours; ++c) {
                    sum += std::pow(value(u, v, c) - value(u + dx, v + dy, c), 2);
                }
            }
        }
        return sum / ((2 * op.patch + 1) * (2 * op.patch + 1) * colours);
    };
    Reference result = reference_of(image);
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            double total = 0;
            std::array<double, 3> sums{};
            for (int dy = -op.search; dy <= op.search; ++dy) {
                for (int dx = -op.search; dx <= op.search; ++dx) {
                    const double d = distance(x, y, dx, dy);
                    const double weight = std::isfinite(d)
                                              ? std::exp(-std::max(d - 2 * op.noise * op.noise, 0.0) /
                                                         (op.strength * op.strength))
                                              : 0;
                    total += weight;
                    for (int c = 0; c < colours && weight > 0; ++c) {
                        sums[static_cast<std::size_t>(c)] += weight * value(x + dx, y + dy, c);
                    }
                }
            }
            for (int c = 0; c < colours && total > 0; ++c) {
                result.at(x, y, c) = sums[static_cast<std::size_t>(c)] / total * full;
            }
        }
    }
    return result;
}

void check(Denoise op, const Image& image) {
    const Reference right = right_answer(op, image);
    INFO(describe(image) << ", strength " << op.strength << ", noise " << op.noise << ", patch " << op.patch
                         << ", search " << op.search);
    for (const PointMethod method : {PointMethod::gpu, PointMethod::cpu}) {
        op.method = method;
        INFO(name_of(method));
        CHECK_THAT(whole(op, image), Matches(right, {2e-6, 0.001}));
    }
}

} // namespace

TEST_CASE("denoise: every depth, number of channels and size") {
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        for (int channels = 1; channels <= 4; ++channels) {
            for (const Size& size : {Size{1, 1}, Size{1, 7}, Size{5, 2}, Size{37, 35}}) {
                const Shape shape{size.width, size.height, channels, depth};
                check({.patch = 1, .search = 2}, photo_like_image(shape));
                check({.strength = 0.3, .noise = 0.1, .patch = 2, .search = 3}, random_image(shape, 5));
            }
        }
    }
}

TEST_CASE("denoise: the largest patches and searches") {
    for (const Depth depth : {Depth::u8, Depth::f32}) {
        check({}, photo_like_image({41, 17, 3, depth}));
        check({.strength = 0.02}, two_valued_image({34, 9, 1, depth}, 0.2, 0.9, 3));
    }
}

TEST_CASE("denoise: patches with values that are not finite leave their pixel alone") {
    Image image = random_image({30, 20, 3, Depth::f32}, 4);
    auto values = image.values<float>();
    values[200] = std::numeric_limits<float>::quiet_NaN();
    values[1500] = std::numeric_limits<float>::infinity();
    check({.strength = 0.4, .patch = 1, .search = 2}, image);
}

TEST_CASE("denoise: in tiles it has the bits of the whole") {
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        const Image image = photo_like_image({113, 75, 3, depth});
        const Denoise op{.patch = 2, .search = 4};
        const Image right = whole(op, image);
        const ScopedLimits small("texture_size:50", plenty);
        CHECK_THAT(tiled(op, image), IsBitwise(right));
    }
}

TEST_CASE("denoise: what it refuses") {
    const Form form{8, 8, 1, Depth::u8};
    CHECK_THROWS_AS(plan(Denoise{.strength = 0}, form), Error);
    CHECK_THROWS_AS(plan(Denoise{.noise = -1}, form), Error);
    CHECK_THROWS_AS(plan(Denoise{.patch = 4}, form), Error);
    CHECK_THROWS_AS(plan(Denoise{.search = 11}, form), Error);
}
