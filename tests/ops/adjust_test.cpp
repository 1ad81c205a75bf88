#include "glproc/ops/adjust.hpp"

#include "support/operation_cases.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace glproc;
using namespace glproc::test;

namespace {

double to_light(double v) {
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

double from_light(double l) {
    return l <= 0.04045 / 12.92 ? l * 12.92 : 1.055 * std::pow(l, 1 / 2.4) - 0.055;
}

double toned(const Adjust& op, double v, bool is_curved) {
    const double times = std::pow(2.0, op.exposure);
    const double exposed = op.exposure == 0 ? v : is_curved ? from_light(to_light(v) * times) : v * times;
    return (exposed + op.brightness - 0.5) * std::pow(2.0, 2 * op.contrast) + 0.5;
}

/// By the definition: the distance from grey is turned about the axis of greys (Rodrigues' formula), and made
/// to keep luma.
std::array<double, 3> coloured(const Adjust& op, const std::array<double, 3>& v) {
    const auto luma = [](const auto& c) { return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]; };
    const double grey = luma(v);
    const std::array<double, 3> d{v[0] - grey, v[1] - grey, v[2] - grey};
    const double angle = op.hue * std::numbers::pi / 180;
    const double cosine = std::cos(angle);
    const double sine = std::sin(angle) / std::sqrt(3.0);
    const double along = (d[0] + d[1] + d[2]) / 3 * (1 - cosine);
    std::array<double, 3> turned{d[0] * cosine + (d[2] - d[1]) * sine + along,
                                 d[1] * cosine + (d[0] - d[2]) * sine + along,
                                 d[2] * cosine + (d[1] - d[0]) * sine + along};
    const double off = luma(turned);
    for (double& value : turned) {
        value = grey + op.saturation * (value - off);
    }
    return turned;
}

/// From HSL by the formula of the six sectors: chroma, and a middle value that rises and falls with the hue.
std::array<double, 3> modulated(std::vector<double> percent, const std::array<double, 3>& v) {
    percent.resize(3, 100);
    const double most = std::max({v[0], v[1], v[2]});
    const double least = std::min({v[0], v[1], v[2]});
    const double range = most - least;
    double sector = range == 0 ? 0 : most == v[0] ? (v[1] - v[2]) / range : most == v[1] ? (v[2] - v[0]) / range + 2 : (v[0] - v[1]) / range + 4;
    const double room = 1 - std::abs(most + least - 1);
    const double lightness = (most + least) / 2 * percent[0] / 100;
    const double chroma = room == 0 ? 0 : (1 - std::abs(2 * lightness - 1)) * range / room * percent[1] / 100;
    sector = std::fmod(sector + (percent[2] - 100) * 0.03 + 12, 6);
    const double middle = chroma * (1 - std::abs(std::fmod(sector, 2) - 1));
    const std::array<std::array<double, 3>, 6> all{{{chroma, middle, 0}, {middle, chroma, 0}, {0, chroma, middle},
                                                    {0, middle, chroma}, {middle, 0, chroma}, {chroma, 0, middle}}};
    std::array<double, 3> rgb = all.at(static_cast<std::size_t>(sector));
    for (double& value : rgb) {
        value += lightness - chroma / 2;
    }
    return rgb;
}

const std::vector<Adjust>& cases() {
    static const std::vector<Adjust> all{
        {},
        {.exposure = 1.5, .floats = FloatValues::srgb},
        {.exposure = 1.5},
        {.exposure = -4, .floats = FloatValues::srgb}, // from the curved part of sRGB to the straight one
        {.exposure = 6, .floats = FloatValues::srgb},  // and the other way
        {.brightness = 0.2, .contrast = 0.45},
        {.saturation = 0},
        {.saturation = 1.75, .hue = 40},
        {.hue = -120},
        {.exposure = -0.5, .brightness = -0.1, .contrast = -0.3, .saturation = 0.5, .hue = 180},
    };
    return all;
}

} // namespace

TEST_CASE("adjust does exposure, brightness, contrast, saturation and hue in this order, and keeps alpha") {
    for (const Size& size : {Size{1, 1}, Size{1, 19}, Size{37, 1}, Size{61, 47}}) {
        for (const Shape& shape : all_kinds(size)) {
            for (const Adjust& op : cases()) {
                const Image image = random_image(shape, 61, FloatRange::wide);
                const bool curved = shape.depth != Depth::f32 || op.floats == FloatValues::srgb;
                const auto answer = point_reference(image, shape.channels, shape.depth, [&](const auto& v) {
                    const auto c = coloured(op, {toned(op, v[0], curved), toned(op, v[1], curved), toned(op, v[2], curved)});
                    return std::array{c[0], c[1], c[2], v[3]};
                });
                INFO("exposure " << op.exposure << " contrast " << op.contrast << " hue " << op.hue);
                check_operation(op, image, answer);
            }
        }
    }
}

TEST_CASE("adjust --modulate multiplies lightness and saturation of HSL and turns hues, without clipping in between") {
    for (const std::vector<double>& percent : {std::vector<double>{120}, {71.3, 40}, {117.3, 143, 57.3}, {100, 100, 131.7}}) {
        for (const Shape& shape : all_kinds({37, 23})) {
            for (const FloatValues floats : {FloatValues::srgb, FloatValues::linear}) {
                const bool is_light = shape.depth == Depth::f32 && floats == FloatValues::linear;
                const Adjust op{.modulate = percent, .floats = floats};
                const Image image = random_image(shape, 63);
                const auto answer = point_reference(image, shape.channels, shape.depth, [&](const auto& v) {
                    const auto coded = [&](double value) { return is_light ? from_light(value) : value; };
                    const auto c = modulated(percent, {coded(v[0]), coded(v[1]), coded(v[2])});
                    const auto meant = [&](double value) { return is_light ? to_light(value) : value; };
                    return std::array{meant(c[0]), meant(c[1]), meant(c[2]), v[3]};
                });
                // Light rises up to 6 times as fast as its codes, which reach 1.9 here.
                check_operation(op, image, answer, is_light ? Tolerance{1.2e-5, 0} : shape.depth == Depth::f32 ? Tolerance{2e-6, 0} : Tolerance{});
            }
        }
    }
    CHECK_THROWS_AS(plan(Adjust{.modulate = {1, 2, 3, 4}}, {4, 4, 3, Depth::u8}), Error);
    CHECK_THROWS_AS(plan(Adjust{.modulate = {-1}}, {4, 4, 3, Depth::u8}), Error);
    CHECK_THROWS_AS(plan(Adjust{.contrast = 1, .modulate = {120}}, {4, 4, 3, Depth::u8}), Error);
}

TEST_CASE("adjust without anything to do changes nothing") {
    for (const Shape& shape : all_kinds({37, 23})) {
        const Image image = random_image(shape, 62, FloatRange::wide);
        CHECK_THAT(whole(Adjust{}, image), IsBitwise(image));
    }
}

TEST_CASE("turning hue by 120 degrees makes red greener and keeps its luma") {
    Image image(1, 1, 3, Depth::f32);
    image.values<float>()[0] = 1;
    const Image turned = whole(Adjust{.hue = 120}, image);
    CHECK(turned.at(0, 0, 1) > turned.at(0, 0, 0));
    CHECK(turned.at(0, 0, 1) > turned.at(0, 0, 2));
    const double luma =
        0.2126 * turned.at(0, 0, 0) + 0.7152 * turned.at(0, 0, 1) + 0.0722 * turned.at(0, 0, 2);
    CHECK(std::abs(luma - 0.2126) < 1e-6);
}

TEST_CASE("adjust of floats that are no numbers, endless or huge") {
    Image image(5, 1, 1, Depth::f32);
    const float inf = std::numeric_limits<float>::infinity();
    const std::array<float, 5> values{std::nanf(""), inf, -inf, 1e30F, -1e30F};
    std::copy(values.begin(), values.end(), image.values<float>().begin());
    for (const PointMethod method : {PointMethod::gpu, PointMethod::cpu}) {
        CHECK(whole(Adjust{.exposure = 1, .method = method}, image).at(3, 0, 0) == 2e30F); // light
        const Image result = whole(Adjust{.exposure = 1, .floats = FloatValues::srgb, .method = method}, image);
        CHECK(std::isnan(result.at(0, 0, 0)));
        CHECK(result.at(1, 0, 0) == inf);
        CHECK(result.at(2, 0, 0) == -inf);
        CHECK(std::abs(result.at(3, 0, 0) / 1e30 - std::pow(2, 1 / 2.4)) < 1e-6);
        CHECK(std::abs(result.at(4, 0, 0) / -2e30 - 1) < 1e-6);
    }
}

TEST_CASE("adjust refuses what is out of range") {
    const Form form{4, 4, 3, Depth::u8};
    CHECK_THROWS_AS(plan(Adjust{.exposure = 21}, form), Error);
    CHECK_THROWS_AS(plan(Adjust{.brightness = std::nan("")}, form), Error);
    CHECK_THROWS_AS(plan(Adjust{.contrast = -6}, form), Error);
    CHECK_THROWS_AS(plan(Adjust{.saturation = -1}, form), Error);
    CHECK_THROWS_AS(plan(Adjust{.hue = 361}, form), Error);
}
