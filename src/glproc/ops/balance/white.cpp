#include "glproc/ops/balance/white.hpp"

#include "glproc/ops/color/spaces.hpp"

#include <cmath>

namespace glproc {

namespace {

using ColourMatrix = std::array<double, 9>;

// K. M. Lam, Metamerism and colour constancy, 1985: the Bradford matrix, and its inverse.
constexpr ColourMatrix cones_of_xyz{0.8951, 0.2664, -0.1614, -0.7502, 1.7135, 0.0367, 0.0389, -0.0685, 1.0296};
constexpr ColourMatrix xyz_of_cones{0.9869929, -0.1470543, 0.1599627, 0.4323053, 0.5183603,
                              0.0492912, -0.0085287, 0.0400428, 0.9684867};

Triple product(const ColourMatrix& m, const Triple& v) {
    return {m[0] * v[0] + m[1] * v[1] + m[2] * v[2], m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
            m[6] * v[0] + m[7] * v[1] + m[8] * v[2]};
}

ColourMatrix product(const ColourMatrix& a, const ColourMatrix& b) {
    ColourMatrix result{};
    for (std::size_t column = 0; column < 3; ++column) {
        const Triple made = product(a, Triple{b[column], b[column + 3], b[column + 6]});
        for (std::size_t row = 0; row < 3; ++row) {
            result[3 * row + column] = made[row];
        }
    }
    return result;
}

/// u and v of 1960 of a black body.
std::array<double, 2> chroma_of(double kelvin) {
    const double t = 1000 / kelvin;
    const double x = kelvin < 4000 ? ((-0.2661239 * t - 0.2343589) * t + 0.8776956) * t + 0.179910
                                   : ((-3.0258469 * t + 2.1070379) * t + 0.2226347) * t + 0.240390;
    const double y = kelvin < 2222   ? ((-1.1063814 * x - 1.34811020) * x + 2.18555832) * x - 0.20219683
                     : kelvin < 4000 ? ((-0.9549476 * x - 1.37418593) * x + 2.09137015) * x - 0.16748867
                                     : ((3.0817580 * x - 5.87338670) * x + 3.75112997) * x - 0.37001483;
    const double below = -2 * x + 12 * y + 3;
    return {4 * x / below, 6 * y / below};
}

/// XYZ with Y 1.
Triple white_of(double kelvin, double tint) {
    const std::array<double, 2> at = chroma_of(kelvin);
    const std::array<double, 2> cooler = chroma_of(kelvin * 1.001);
    const double du = cooler[0] - at[0];
    const double dv = cooler[1] - at[1];
    const double step = tint / 1000 / std::hypot(du, dv);
    // To the side of green, where v is larger; a cooler light has less u.
    const double u = at[0] + dv * step;
    const double v = at[1] - du * step;
    const double x = 3 * u / (2 * u - 8 * v + 4);
    const double y = 2 * v / (2 * u - 8 * v + 4);
    return {x / y, 1, (1 - x - y) / y};
}

} // namespace

std::array<double, 9> adaptation(double kelvin, double tint) {
    const Triple from = product(cones_of_xyz, white_of(kelvin, tint));
    const Triple to = product(cones_of_xyz, product(xyz_of_light, Triple{1, 1, 1}));
    const ColourMatrix gains{to[0] / from[0], 0, 0, 0, to[1] / from[1], 0, 0, 0, to[2] / from[2]};
    const ColourMatrix in_xyz = product(xyz_of_cones, product(gains, cones_of_xyz));
    return product(light_of_xyz(), product(in_xyz, xyz_of_light));
}

} // namespace glproc
