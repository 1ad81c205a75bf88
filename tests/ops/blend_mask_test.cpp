// The mask of the second image: how much of it shows.
#include "glproc/ops/blend.hpp"
#include "support/operation_cases.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

Blend masked_by(Image image, Image mask) {
    Blend op;
    op.with = {"second", std::make_shared<const Image>(std::move(image))};
    op.mask = {"mask", std::make_shared<const Image>(std::move(mask))};
    return op;
}

Image even(float value, int channels) {
    Image image(8, 1, channels, Depth::f32);
    std::fill(image.values<float>().begin(), image.values<float>().end(), value);
    return image;
}

} // namespace

TEST_CASE("blend: a mask is the share of the second image") {
    for (const BlendMode mode : {BlendMode::over, BlendMode::multiply, BlendMode::max}) {
        const Image image = random_image({29, 17, 3, Depth::u8}, 1);
        const Image other = random_image({29, 17, 3, Depth::u8}, 2);
        const Image mask = random_image({29, 17, 1, Depth::u8}, 3);
        Image with_alpha(Form{29, 17, 4, Depth::u8});
        for (int y = 0; y < 17; ++y) {
            for (int x = 0; x < 29; ++x) {
                for (int c = 0; c < 4; ++c) {
                    set_value(with_alpha, x, y, c, (c < 3 ? other.at(x, y, c) : mask.at(x, y, 0)) / 255);
                }
            }
        }
        Blend op = masked_by(other, mask);
        op.mode = mode;
        Blend same = op;
        same.with = {"second", std::make_shared<const Image>(with_alpha)};
        same.mask = {};
        CHECK_THAT(whole(op, image), IsBitwise(whole(same, image)));
    }
    const Blend op = masked_by(random_image({9, 9, 3, Depth::u8}), random_image({9, 8, 1, Depth::u8}));
    CHECK_THROWS_AS(plan(op, {9, 9, 3, Depth::u8}), Error);
}

TEST_CASE("blend: a mask of floats shows all at most, and nothing where it is undefined") {
    const std::vector<float> shares{0, 0.25F, 1, 3, -1, INFINITY, -INFINITY, NAN};
    const std::vector<float> wanted{0.5F, 0.625F, 1, 1, 0.5F, 1, 0.5F, 0.5F};
    for (const int channels : {1, 3}) {
        Image mask = even(0, 1);
        std::copy(shares.begin(), shares.end(), mask.values<float>().begin());
        const Image made = whole(masked_by(even(1, channels), mask), even(0.5F, channels));
        for (int x = 0; x < 8; ++x) {
            INFO("a share of " << shares[static_cast<std::size_t>(x)]);
            for (int c = 0; c < channels; ++c) {
                CHECK(made.at(x, 0, c) == wanted[static_cast<std::size_t>(x)]);
            }
        }
    }
}
