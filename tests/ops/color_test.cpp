#include "glproc/ops/color.hpp"

#include "glproc/kinds/chain.hpp"
#include "glproc/ops/balance.hpp"
#include "glproc/ops/invert.hpp"
#include "support/combinations.hpp"
#include "support/operation_cases.hpp"

#include <algorithm>
#include <cmath>

using namespace glproc;
using namespace glproc::test;

namespace {

using V = std::array<double, 3>;
constexpr double pi = 3.14159265358979323846;

double decoded(double v) {
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

V xyz_of(const V& rgb) {
    const double r = decoded(rgb[0]);
    const double g = decoded(rgb[1]);
    const double b = decoded(rgb[2]);
    return {0.412453 * r + 0.357580 * g + 0.180423 * b, 0.212671 * r + 0.715160 * g + 0.072169 * b,
            0.019334 * r + 0.119193 * g + 0.950227 * b};
}

double f(double t) {
    return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

/// From encoded red, green and blue, by the formulas as textbooks have them.
V of_srgb(const V& rgb, ColourSpace to) {
    const double most = std::max({rgb[0], rgb[1], rgb[2]});
    const double least = std::min({rgb[0], rgb[1], rgb[2]});
    const double range = most - least;
    double hue = 0;
    if (range > 0) {
        hue = most == rgb[0]   ? 60 * std::fmod((rgb[1] - rgb[2]) / range + 6, 6)
              : most == rgb[1] ? 60 * ((rgb[2] - rgb[0]) / range + 2)
                               : 60 * ((rgb[0] - rgb[1]) / range + 4);
    }
    const V xyz = xyz_of(rgb);
    const double y = f(xyz[1]);
    const V lab{116 * y - 16, 500 * (f(xyz[0] / 0.95047) - y), 200 * (y - f(xyz[2] / 1.08883))};
    switch (to) {
    case ColourSpace::srgb:
        return rgb;
    case ColourSpace::linear:
        return {decoded(rgb[0]), decoded(rgb[1]), decoded(rgb[2])};
    case ColourSpace::xyz:
        return xyz;
    case ColourSpace::lab:
        return lab;
    case ColourSpace::lch: {
        const double angle = std::atan2(lab[2], lab[1]) * 180 / pi;
        const double chroma = std::sqrt(lab[1] * lab[1] + lab[2] * lab[2]);
        return {lab[0], chroma, chroma < 0.02 ? 0 : angle < 0 ? angle + 360 : angle};
    }
    case ColourSpace::luv: {
        const double sum = xyz[0] + 15 * xyz[1] + 3 * xyz[2];
        const double white = 0.95047 + 15 + 3 * 1.08883;
        return sum == 0 ? V{0, 0, 0}
                        : V{lab[0], 13 * lab[0] * (4 * xyz[0] / sum - 4 * 0.95047 / white),
                            13 * lab[0] * (9 * xyz[1] / sum - 9 / white)};
    }
    case ColourSpace::hsv:
        return {hue, most > 0 ? range / most : 0, most};
    case ColourSpace::hsl: {
        const double lightness = (most + least) / 2;
        return {hue, range > 0 ? range / (1 - std::abs(2 * lightness - 1)) : 0, lightness};
    }
    case ColourSpace::ycbcr: {
        const double luma = 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2];
        return {luma, 0.5 + (rgb[2] - luma) / 1.772, 0.5 + (rgb[0] - luma) / 1.402};
    }
    }
    return rgb;
}

/// Values as integers of 8 and 16 bits hold them.
V codes_of(const V& v, ColourSpace space, bool is_8_bits) {
    const double k = is_8_bits ? 1 : 257;
    const auto turned = [=](double hue) { return !is_8_bits ? hue / 360 * 65535 : hue >= 359 ? 0 : hue / 2; };
    const double hue = turned(v[0]);
    switch (space) {
    case ColourSpace::lab:
        return {v[0] * 2.55 * k, (v[1] + 128) * k, (v[2] + 128) * k};
    case ColourSpace::lch:
        return {v[0] * 2.55 * k, v[1] * k, turned(v[2])};
    case ColourSpace::luv:
        return {v[0] * 2.55 * k, (v[1] + 134) * 255 / 354 * k, (v[2] + 140) * 255 / 262 * k};
    case ColourSpace::hsv:
    case ColourSpace::hsl:
        return {hue, v[1] * 255 * k, v[2] * 255 * k};
    case ColourSpace::ycbcr:
        return {v[0] * 255 * k, ((v[1] - 0.5) * 255 + 128) * k, ((v[2] - 0.5) * 255 + 128) * k};
    default:
        return {v[0] * 255 * k, v[1] * 255 * k, v[2] * 255 * k};
    }
}

std::vector<ColourSpace> all_spaces() {
    std::vector<ColourSpace> all;
    for (const EnumRow<ColourSpace>& row : enum_rows<ColourSpace>) {
        all.push_back(row.value);
    }
    return all;
}

Reference answer_to(const Image& image, ColourSpace to) {
    const double full = max_code(image.depth());
    return point_reference(
        image, image.channels() < 3 ? image.channels() + 2 : image.channels(), image.depth(),
        [&](const std::array<double, 4>& v) {
            const V made = of_srgb({v[0], v[1], v[2]}, to);
            const V codes =
                image.depth() == Depth::f32 ? made : codes_of(made, to, image.depth() == Depth::u8);
            return std::array<double, 4>{codes[0] / full, codes[1] / full, codes[2] / full, v[3]};
        });
}

/// All colours of 8 bits with so much blue.
Image slice(int blue) {
    Image image(256, 256, 3, Depth::u8);
    for (int y = 0; y < 256; ++y) {
        for (int x = 0; x < 256; ++x) {
            set_value(image, x, y, 0, x / 255.0);
            set_value(image, x, y, 1, y / 255.0);
            set_value(image, x, y, 2, blue / 255.0);
        }
    }
    return image;
}

int largest_step(const Image& a, const Image& b) {
    int most = 0;
    for (std::size_t i = 0; i < a.bytes().size(); ++i) {
        most = std::max(most, std::abs(static_cast<int>(a.bytes()[i]) - static_cast<int>(b.bytes()[i])));
    }
    return most;
}

} // namespace

TEST_CASE("color converts to every space as the formulas say") {
    const std::vector<int> channels{1, 2, 3, 4};
    for (const auto& [to, depth, count] : combinations(all_spaces(), every_depth, channels)) {
        const Image image = random_image({67, 23, count, depth}, 3);
        INFO("to " << name_of(to));
        const Tolerance tolerance{to == ColourSpace::lch ? 2e-5 : 3e-6, 0.01};
        const bool is_by_hue = to == ColourSpace::lch || to == ColourSpace::hsv || to == ColourSpace::hsl;
        if (!is_by_hue || (to != ColourSpace::lch && depth != Depth::f32)) {
            check_operation(Color{.to = to}, image, answer_to(image, to), tolerance);
            continue;
        }
        // An angle by a kernel is right for most colours, and refused where it is not.
        const Image made = whole(Color{.to = to}, image);
        CHECK_THAT(made, Matches(answer_to(image, to), tolerance));
        CHECK_THAT(whole(Color{.to = to, .method = PointMethod::cpu}, image), IsBitwise(made));
    }
}

TEST_CASE("color: hue and saturation of all colours of 8 bits are the quotients, half to even") {
    const auto whole_quotient = [](int above, int below) { // to nearest, half to even
        const int twice = 2 * above;
        const int floor = above / below;
        const int rest = twice - 2 * floor * below;
        return floor + static_cast<int>(rest > below || (rest == below && floor % 2 == 1));
    };
    Image image(Form{256, 256, 3, Depth::u8});
    for (int blue = 0; blue < 256; blue += tries_everything() ? 1 : 51) {
        for (int i = 0; i < 256 * 256; ++i) {
            const std::array<int, 3> colour{i % 256, i / 256, blue};
            std::transform(colour.begin(), colour.end(), image.bytes().begin() + std::ptrdiff_t{3} * i,
                           [](int code) { return static_cast<std::byte>(code); });
        }
        for (const PointMethod method : {PointMethod::gpu, PointMethod::cpu}) {
            const Image made = whole(Color{.to = ColourSpace::hsv, .method = method}, image);
            int wrong = 0;
            for (int i = 0; i < 256 * 256; ++i) {
                const int r = i % 256;
                const int g = i / 256;
                const int most = std::max({r, g, blue});
                const int range = most - std::min({r, g, blue});
                const int apart = most == r ? g - blue : most == g ? blue - r : r - g;
                const int base = most == r ? 0 : most == g ? 60 : 120; // half degrees
                const int turned = 30 * apart + base * range + (most == r && apart < 0 ? 180 * range : 0);
                const int hue = range == 0 ? 0 : whole_quotient(turned, range) % 180;
                const int saturation = most == 0 ? 0 : whole_quotient(255 * range, most);
                wrong += static_cast<int>(made.at(r, g, 0) != hue || made.at(r, g, 1) != saturation || made.at(r, g, 2) != most);
            }
            CHECK(wrong == 0);
        }
    }
}

TEST_CASE("color: floats that are light give what their codes give") {
    const Image codes = random_image({61, 31, 4, Depth::f32}, 3);
    Image light = codes;
    for (std::size_t i = 0; i < light.values<float>().size(); ++i) {
        float& value = light.values<float>()[i];
        value = i % 4 == 3 ? value : static_cast<float>(decoded(value));
    }
    for (const ColourSpace space : all_spaces()) {
        INFO(name_of(space));
        const Color op{.to = space, .floats = FloatValues::linear};
        const Tolerance tolerance{space == ColourSpace::lch || space == ColourSpace::hsv ? 2e-4 : 5e-5, 0.01};
        const Image made = whole(op, light);
        CHECK_THAT(made, Matches(space == ColourSpace::srgb ? reference_of(light) : answer_to(codes, space), tolerance));
        CHECK_THAT(whole(Color{.to = space, .floats = FloatValues::linear, .method = PointMethod::cpu}, light), IsBitwise(made));
        const Image back = whole(Color{.to = ColourSpace::srgb, .from = space, .floats = FloatValues::linear}, made);
        CHECK_THAT(back, Matches(reference_of(light), Tolerance{2e-5, 0}));
    }
}

TEST_CASE("color: there and back is the image again") {
    for (const ColourSpace space : all_spaces()) {
        INFO(name_of(space));
        const Image image = random_image({61, 31, 4, Depth::f32}, 3);
        const Image there = whole(Color{.to = space}, image);
        const Image back = whole(Color{.to = ColourSpace::srgb, .from = space}, there);
        CHECK_THAT(back, Matches(reference_of(image), Tolerance{2e-5, 0}));
        const Reference again = reference_of(image);
        check_operation(Color{.to = ColourSpace::srgb, .from = space}, there, again, Tolerance{2e-5, 0});
    }
}

TEST_CASE("color: between two spaces that are not sRGB") {
    const Image image = random_image({61, 31, 3, Depth::f32}, 3);
    for (const ColourSpace from : {ColourSpace::lab, ColourSpace::hsv, ColourSpace::linear}) {
        for (const ColourSpace to :
             {ColourSpace::lch, ColourSpace::ycbcr, ColourSpace::xyz, ColourSpace::linear}) {
            INFO(name_of(from) << " to " << name_of(to));
            const Image there = whole(Color{.to = from}, image);
            CHECK_THAT(whole(Color{.to = to, .from = from}, there),
                       Matches(answer_to(image, to), Tolerance{2e-5, 0}));
        }
    }
}

TEST_CASE("color: so large a hue that no int holds its right angles is none") {
    Image image(6, 1, 3, Depth::f32);
    const std::array<float, 6> hues{0, 1e12F, -1e12F, 3e20F, -3e20F, 3e38F};
    for (std::size_t i = 0; i < hues.size(); ++i) {
        std::ranges::copy(std::array<float, 3>{50, 20, hues[i]}, image.values<float>().subspan(3 * i).begin());
    }
    for (const PointMethod method : {PointMethod::gpu, PointMethod::cpu}) {
        const Image made = whole(Color{.to = ColourSpace::srgb, .from = ColourSpace::lch, .method = method}, image);
        for (std::size_t i = 3; i < made.values<float>().size(); ++i) {
            INFO(i);
            CHECK(made.values<float>()[i] == made.values<float>()[i % 3]);
        }
    }
}

TEST_CASE("color in a chain: spaces of several steps do not mix up, nor with other operations on light") {
    for (const Shape& shape : some_kinds({61, 7})) {
        if (shape.channels < 3) {
            continue;
        }
        const Image image = random_image(shape, 3);
        const Color back{.to = ColourSpace::srgb, .from = ColourSpace::lab};
        const Balance warm{.how = {BalanceMethod::temperature, 4000}};
        for (const Chain& chain : {Chain{Color{}, back}, Chain{warm, Color{}, back, warm}, Chain{Color{}, Invert{}, Invert{}, back}}) {
            Image expected = image;
            for (const Chain::Step& step : chain.steps()) {
                expected = gpu().download(run_whole(gpu(), step(expected.form()), gpu().upload(expected)));
            }
            CHECK_THAT(whole(chain, image), IsBitwise(expected));
        }
    }
    const Form form{64, 64, 3, Depth::u8};
    CHECK(can_join({plan(Color{}, form)}, plan(Invert{}, form)));
    CHECK(can_join({plan(Color{}, form), plan(Invert{}, form)}, plan(Color{}, form))); // the same way again
    CHECK_FALSE(can_join({plan(Color{}, form), plan(Invert{}, form)}, plan(Color{.to = ColourSpace::hsv}, form)));
}

TEST_CASE("color: all colours of 8 bits to L*a*b* and back") {
    // L*a*b* of 8 bits has fewer colours than sRGB, most of all where it is dark and blue.
    int most = 0;
    for (int blue = 0; blue < 256; blue += tries_everything() ? 1 : 51) {
        const Image image = slice(blue);
        const Image there = whole(Color{}, image);
        CHECK(largest_step(there, rounded(answer_to(image, ColourSpace::lab))) <= 1);
        CHECK_THAT(there, Matches(answer_to(image, ColourSpace::lab), Tolerance{1e-6, 0.001}));
        most = std::max(
            most,
            largest_step(whole(Color{.to = ColourSpace::srgb, .from = ColourSpace::lab}, there), image));
    }
    CHECK(most <= 26);
}
