#include "glproc/kinds/hdr.hpp"

#include "glproc/base/error.hpp"
#include "glproc/kinds/point.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace glproc {

namespace {

using Matrix3 = std::array<double, 9>;
using Colour3 = std::array<double, 3>;

constexpr double pq_most = 10000; // cd/m2
constexpr double m1 = 2610.0 / 16384;
constexpr double m2 = 2523.0 / 32;
constexpr double c1 = 3424.0 / 4096;
constexpr double c2 = 2413.0 / 128;
constexpr double c3 = 2392.0 / 128;

double at(const Matrix3& m, std::size_t row, std::size_t column) {
    return m.at(3 * (row % 3) + column % 3);
}

Matrix3 inverse(const Matrix3& m) {
    Matrix3 made{};
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) { // cofactors in a circle need no signs
            made[3 * i + j] = at(m, j + 1, i + 1) * at(m, j + 2, i + 2) - at(m, j + 1, i + 2) * at(m, j + 2, i + 1);
        }
    }
    const double determinant = m[0] * made[0] + m[1] * made[3] + m[2] * made[6];
    for (double& value : made) {
        value /= determinant;
    }
    return made;
}

Colour3 product(const Matrix3& m, const Colour3& v) {
    Colour3 made{};
    for (std::size_t i = 0; i < 3; ++i) {
        made[i] = m[3 * i] * v[0] + m[3 * i + 1] * v[1] + m[3 * i + 2] * v[2];
    }
    return made;
}

Colour3 xyz_of(double x, double y) {
    return {x / y, 1, (1 - x - y) / y};
}

/// Light by primaries to XYZ, white to `white`.
Matrix3 xyz_matrix(const Primaries& p, const Colour3& white) {
    Matrix3 m{};
    for (std::size_t c = 0; c < 3; ++c) {
        const Colour3 xyz = xyz_of(p[2 * c], p[2 * c + 1]);
        for (std::size_t row = 0; row < 3; ++row) {
            m[3 * row + c] = xyz[row];
        }
    }
    const Colour3 share = product(inverse(m), white);
    for (std::size_t i = 0; i < m.size(); ++i) {
        m[i] *= share[i % 3];
    }
    return m;
}

/// Report ITU-R BT.2390, 5.4.1, for a black of 0 on both screens.
struct ToneCurve {
    explicit ToneCurve(double peak) : peak_pq(pq_of(peak)), white(pq_of(sdr_white) / peak_pq), knee(1.5 * white - 0.5) {}

    bool maps() const { return white < 1; }

    double peak_pq;
    double white; ///< as a share of the peak, in PQ
    double knee;
};

double peak_of(const ToSdr& op) {
    return op.curve == HdrCurve::hlg ? hlg_peak : op.peak;
}

} // namespace

double pq_of(double light) {
    const double y = std::pow(std::max(light, 0.0) / pq_most, m1);
    return std::pow((c1 + c2 * y) / (1 + c3 * y), m2);
}

double light_of_pq(double pq) {
    const double root = std::pow(pq, 1 / m2);
    return pq_most * std::pow(std::max(root - c1, 0.0) / (c2 - c3 * root), 1 / m1);
}

std::array<double, 9> between_primaries(const Primaries& from, const Primaries& to) {
    // White becomes white: the one of cinemas is no other colour for who sits there.
    const Colour3 white = xyz_of(to[6], to[7]);
    const Matrix3 to_xyz = xyz_matrix(from, from[6] == to[6] ? white : xyz_of(from[6], from[7]));
    Matrix3 back = inverse(xyz_matrix(to, white));
    Matrix3 made{};
    for (std::size_t i = 0; i < 9; ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
            made[i] += back[i / 3 * 3 + k] * to_xyz[3 * k + i % 3];
        }
    }
    for (std::size_t row = 0; row < 3; ++row) {
        const double sum = made[3 * row] + made[3 * row + 1] + made[3 * row + 2];
        for (std::size_t i = 0; i < 3; ++i) {
            made[3 * row + i] /= sum;
        }
    }
    return made;
}

Plan plan(const ToSdr& op, const Form& form) {
    check_limit("hdr-peak", op.peak, {1, pq_most});
    const Matrix3 matrix = between_primaries(op.primaries, bt709_primaries);
    const ToneCurve curve(peak_of(op));
    std::vector<float> params;
    for (const double value : matrix) {
        params.push_back(static_cast<float>(value));
    }
    for (const double value : {curve.peak_pq, 1 / curve.peak_pq, curve.knee, 1 / (1 - curve.knee), curve.white,
                               curve.maps() ? 1.0 : 0.0}) {
        params.push_back(static_cast<float>(value));
    }
    return point_plan(form, {.name = "to_sdr",
                             .glsl = "kinds/light/sdr_of_hdr.glsl",
                             .params = std::move(params),
                             .defines = {{"CURVE", text(static_cast<int>(op.curve))}},
                             .depth = Depth::u8});
}

GpuImage ToSdr::operator()(Context& gpu, const GpuImage& src) const {
    return run_whole(gpu, plan(*this, src.form()), src);
}

} // namespace glproc
