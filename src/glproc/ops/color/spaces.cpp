#include "glproc/ops/color/spaces.hpp"

#include "glproc/math/srgb.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace glproc {

// ITU-R BT.709 with the white of D65, as OpenCV and scikit-image have it.
const std::array<double, 9> xyz_of_light{0.412453, 0.357580, 0.180423, 0.212671, 0.715160,
                                         0.072169, 0.019334, 0.119193, 0.950227};

namespace {

constexpr Triple white{0.95047, 1, 1.08883};
constexpr double least_chroma = 0.02; ///< less is grey, which the last bits alone would give a hue
constexpr double bend = 6.0 / 29;     ///< where the root of CIE's formulas becomes a line

Triple product(const std::array<double, 9>& m, const Triple& v) {
    return {m[0] * v[0] + m[1] * v[1] + m[2] * v[2], m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
            m[6] * v[0] + m[7] * v[1] + m[8] * v[2]};
}

std::array<double, 9> inverse(const std::array<double, 9>& m) {
    const auto minor = [&m](std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
        return m[a] * m[d] - m[b] * m[c];
    };
    const double determinant = m[0] * minor(4, 5, 7, 8) - m[1] * minor(3, 5, 6, 8) + m[2] * minor(3, 4, 6, 7);
    std::array<double, 9> result{minor(4, 5, 7, 8),  -minor(1, 2, 7, 8), minor(1, 2, 4, 5),
                                 -minor(3, 5, 6, 8), minor(0, 2, 6, 8),  -minor(0, 2, 3, 5),
                                 minor(3, 4, 6, 7),  -minor(0, 1, 6, 7), minor(0, 1, 3, 4)};
    for (double& value : result) {
        value /= determinant;
    }
    return result;
}

double root(double t) {
    return t > bend * bend * bend ? std::cbrt(t) : t / (3 * bend * bend) + 4.0 / 29;
}

double cube(double f) {
    return f > bend ? f * f * f : 3 * bend * bend * (f - 4.0 / 29);
}

Triple lab_of(const Triple& xyz) {
    const double y = root(xyz[1] / white[1]);
    return {116 * y - 16, 500 * (root(xyz[0] / white[0]) - y), 200 * (y - root(xyz[2] / white[2]))};
}

Triple xyz_of_lab(const Triple& lab) {
    const double y = (lab[0] + 16) / 116;
    return {white[0] * cube(y + lab[1] / 500), white[1] * cube(y), white[2] * cube(y - lab[2] / 200)};
}

Triple luv_of(const Triple& xyz) {
    const double sum = xyz[0] + 15 * xyz[1] + 3 * xyz[2];
    const double lightness = 116 * root(xyz[1]) - 16;
    if (sum == 0) {
        return {lightness, 0, 0};
    }
    const auto [u, v] = white_chroma();
    return {lightness, 13 * lightness * (4 * xyz[0] / sum - u), 13 * lightness * (9 * xyz[1] / sum - v)};
}

Triple xyz_of_luv(const Triple& luv) {
    const double y = cube((luv[0] + 16) / 116);
    const auto [u_white, v_white] = white_chroma();
    const double u = luv[0] == 0 ? 0 : luv[1] / (13 * luv[0]) + u_white;
    const double v = luv[0] == 0 ? 0 : luv[2] / (13 * luv[0]) + v_white;
    return v == 0 ? Triple{0, y, 0} : Triple{y * 9 * u / (4 * v), y, y * (12 - 3 * u - 20 * v) / (4 * v)};
}

/// Hue in degrees.
double hue_of(const Triple& rgb, double most, double range) {
    if (range == 0) {
        return 0;
    }
    const double sixth = most == rgb[0]   ? (rgb[1] - rgb[2]) / range
                         : most == rgb[1] ? 2 + (rgb[2] - rgb[0]) / range
                                          : 4 + (rgb[0] - rgb[1]) / range;
    return 60 * (sixth < 0 ? sixth + 6 : sixth);
}

Triple of_hue(double hue, double least, double range) {
    Triple rgb{};
    const std::array<double, 3> shift{0, 4, 2};
    for (std::size_t c = 0; c < 3; ++c) {
        double turn = hue / 60 + shift[c];
        turn -= 6 * std::floor(turn / 6);
        rgb[c] = least + range * std::clamp(std::abs(turn - 3) - 1, 0.0, 1.0);
    }
    return rgb;
}

Triple to_encoded(const Triple& v, ColourSpace from) {
    switch (from) {
    case ColourSpace::hsv:
        return of_hue(v[0], v[2] - v[2] * v[1], v[2] * v[1]);
    case ColourSpace::hsl: {
        const double range = (1 - std::abs(2 * v[2] - 1)) * v[1];
        return of_hue(v[0], v[2] - range / 2, range);
    }
    case ColourSpace::ycbcr: {
        const double red = v[0] + 1.402 * (v[2] - 0.5);
        const double blue = v[0] + 1.772 * (v[1] - 0.5);
        return {red, (v[0] - 0.299 * red - 0.114 * blue) / 0.587, blue};
    }
    default:
        return v;
    }
}

Triple from_encoded(const Triple& rgb, ColourSpace to) {
    const double most = std::max({rgb[0], rgb[1], rgb[2]});
    const double range = most - std::min({rgb[0], rgb[1], rgb[2]});
    switch (to) {
    case ColourSpace::hsv:
        return {hue_of(rgb, most, range), most == 0 ? 0 : range / most, most};
    case ColourSpace::hsl: {
        const double lightness = most - range / 2;
        const double room = 1 - std::abs(2 * lightness - 1);
        return {hue_of(rgb, most, range), room == 0 ? 0 : range / room, lightness};
    }
    case ColourSpace::ycbcr: {
        const double luma = 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2];
        return {luma, (rgb[2] - luma) / 1.772 + 0.5, (rgb[0] - luma) / 1.402 + 0.5};
    }
    default:
        return rgb;
    }
}

Triple to_xyz(const Triple& v, ColourSpace from) {
    constexpr double degree = std::numbers::pi / 180;
    switch (from) {
    case ColourSpace::lab:
        return xyz_of_lab(v);
    case ColourSpace::lch:
        return xyz_of_lab({v[0], v[1] * std::cos(v[2] * degree), v[1] * std::sin(v[2] * degree)});
    case ColourSpace::luv:
        return xyz_of_luv(v);
    case ColourSpace::linear:
        return product(xyz_of_light, v);
    default:
        return v;
    }
}

Triple from_xyz(const Triple& xyz, ColourSpace to) {
    switch (to) {
    case ColourSpace::lab:
        return lab_of(xyz);
    case ColourSpace::lch: {
        const Triple lab = lab_of(xyz);
        const double chroma = std::hypot(lab[1], lab[2]);
        const double hue = chroma < least_chroma ? 0 : std::atan2(lab[2], lab[1]) * 180 / std::numbers::pi;
        return {lab[0], chroma, hue < 0 ? hue + 360 : hue};
    }
    case ColourSpace::luv:
        return luv_of(xyz);
    case ColourSpace::linear:
        return product(light_of_xyz(), xyz);
    default:
        return xyz;
    }
}

Triple each(const Triple& v, double (*function)(double)) {
    return {function(v[0]), function(v[1]), function(v[2])};
}

} // namespace

bool is_encoded(ColourSpace space) {
    return space == ColourSpace::srgb || space >= ColourSpace::hsv;
}

const std::array<double, 9>& light_of_xyz() {
    static const std::array<double, 9> matrix = inverse(xyz_of_light);
    return matrix;
}

std::array<double, 2> white_chroma() {
    const double sum = white[0] + 15 * white[1] + 3 * white[2];
    return {4 * white[0] / sum, 9 * white[1] / sum};
}

Scaling scaling_of(ColourSpace space, Depth depth) {
    if (depth == Depth::f32) {
        return {{1, 1, 1}, {0, 0, 0}};
    }
    const double hue = depth == Depth::u8 ? 0.5 / 255 : 1.0 / 360;
    switch (space) {
    case ColourSpace::lab:
        return {{0.01, 1.0 / 255, 1.0 / 255}, {0, 128.0 / 255, 128.0 / 255}};
    case ColourSpace::lch:
        return {{0.01, 1.0 / 255, hue}, {0, 0, 0}};
    case ColourSpace::luv:
        return {{0.01, 1.0 / 354, 1.0 / 262}, {0, 134.0 / 354, 140.0 / 262}};
    case ColourSpace::hsv:
    case ColourSpace::hsl:
        return {{hue, 1, 1}, {0, 0, 0}};
    case ColourSpace::ycbcr:
        return {{1, 1, 1}, {0, 128.0 / 255 - 0.5, 128.0 / 255 - 0.5}};
    default:
        return {{1, 1, 1}, {0, 0, 0}};
    }
}

Triple converted(const Triple& colour, ColourSpace from, ColourSpace to) {
    if (is_encoded(from) && is_encoded(to)) {
        return from_encoded(to_encoded(colour, from), to);
    }
    // Light that is not wanted in XYZ takes no roundings there: they would give greys a hue.
    const bool has_light = is_encoded(from) || from == ColourSpace::linear;
    const Triple light = is_encoded(from) ? each(to_encoded(colour, from), &linear_of_srgb)
                         : has_light      ? colour
                                          : product(light_of_xyz(), to_xyz(colour, from));
    if (is_encoded(to)) {
        return from_encoded(each(light, &srgb_of_linear), to);
    }
    return to == ColourSpace::linear ? light : from_xyz(has_light ? product(xyz_of_light, light) : to_xyz(colour, from), to);
}

} // namespace glproc
