// Filters of linear light on floats that are on the curve of sRGB.
#include "glproc/ops/blur.hpp"
#include "glproc/ops/box.hpp"
#include "glproc/ops/resize.hpp"
#include "glproc/ops/unsharp.hpp"
#include "support/catch.hpp"
#include "support/inputs.hpp"
#include "support/matchers.hpp"
#include "support/tiled.hpp"

#include "glproc/files/transfer_curve.hpp"
#include "glproc/math/srgb.hpp"

#include <cmath>
#include <limits>

using namespace glproc;
using namespace glproc::test;

namespace {

template <class Op>
void check_light(Op op, const Image& image) {
    op.linear = true;
    op.floats = FloatValues::srgb;
    const Image result = whole(op, image);
    Op plain = op;
    plain.linear = false;
    if constexpr (requires { plain.border; }) {
        plain.border = border_in_light(op.border);
    }
    const Image light = with_transfer(image, ColourCurve::srgb, ColourCurve::linear);
    const Image expected = with_transfer(whole(plain, light), ColourCurve::linear, ColourCurve::srgb);
    const Image reference = image_by_processor(plan(op, image.form()), image);
    REQUIRE(result.form() == expected.form());
    double worst = 0;
    for (std::size_t i = 0; i < result.values<float>().size(); ++i) {
        worst = std::max(worst, std::abs(double{result.values<float>()[i]} - expected.values<float>()[i]));
        worst = std::max(worst, std::abs(double{result.values<float>()[i]} - reference.values<float>()[i]));
    }
    CHECK(worst < 1e-5); // the curve is steepest at black: 12.92 times what light has
}

} // namespace

TEST_CASE("linear light of floats on the curve: as if they had come as light") {
    for (const int channels : {1, 2, 3, 4}) {
        const Image image = photo_like_image({37, 22, channels, Depth::f32}, 5);
        check_light(Blur{.sigma = 1.5, .border = Border(BorderMode::constant, 0.5)}, image);
        check_light(Box{.radius = 2}, image);
        check_light(Resize{.size = {.width = 11, .height = 30}}, image);
        check_light(Unsharp{.sigma = 1}, image);
    }
}

TEST_CASE("linear light of floats: half 64 and half 192 is 146") {
    Image image(64, 1, 1, Depth::f32);
    for (std::size_t x = 0; x < 64; ++x) {
        image.values<float>()[x] = x < 32 ? 64 / 255.0F : 192 / 255.0F;
    }
    const Resize half{.size = {.width = 1, .height = 1}, .linear = true};
    Resize on_curve = half;
    on_curve.floats = FloatValues::srgb;
    CHECK(whole(half, image).values<float>()[0] == Approx(128 / 255.0));
    CHECK(whole(on_curve, image).values<float>()[0] == Approx(0.5743).margin(1e-3));
}

TEST_CASE("transfer: there and back, alpha and what is no number stay") {
    Image image(3, 1, 2, Depth::f32);
    const float inf = std::numeric_limits<float>::infinity();
    const std::vector<float> values{0.5F, 0.25F, -0.1F, 1, inf, 0.5F};
    std::copy(values.begin(), values.end(), image.values<float>().begin());
    const Image light = with_transfer(image, ColourCurve::srgb, ColourCurve::linear);
    CHECK(light.values<float>()[0] == Approx(0.21404114));
    CHECK(light.values<float>()[1] == 0.25F);
    CHECK(light.values<float>()[2] == Approx(-0.1 / 12.92));
    CHECK(light.values<float>()[4] == inf);
    const Image back = with_transfer(light, ColourCurve::linear, ColourCurve::srgb);
    for (std::size_t i = 0; i < values.size(); ++i) {
        CHECK(back.values<float>()[i] == Approx(values[i]));
    }
    CHECK(transfer_of(Format::exr, Depth::f32, true) == ColourCurve::linear);
    CHECK(transfer_of(Format::jxl, Depth::f32, true) == ColourCurve::srgb);
    CHECK(transfer_of(Format::tiff, Depth::f32, false) == ColourCurve::unknown); // nobody says what they are
    CHECK(transfer_of(Format::tiff, Depth::f32, true) == ColourCurve::srgb);
    CHECK(transfer_of(Format::jxl, Depth::u16, false) == ColourCurve::srgb);
}

TEST_CASE("a part of a larger picture is mixed as light by the processor like a picture of its own") {
    const Blur blur{.sigma = 2, .linear = true, .floats = FloatValues::srgb};
    const Image part = random_image({67, 23, 3, Depth::f32}, 4);
    const Plan of_large = plan(blur, {401, 307, 3, Depth::f32});
    CHECK_THAT(image_by_processor(of_large, part), IsBitwise(image_by_processor(plan(blur, part.form()), part)));
}
