// NPP: affine and perspective maps, and a turn. Its pixels lie at whole coordinates; beyond the source it
// writes nothing.
#include "npp.hpp"
#include "npp_rows.hpp"

#include <nppi_geometry_transforms.h>

namespace peers::npp {

namespace {

using Matrix = std::array<std::array<double, 3>, 3>;

Matrix inverse(const Matrix& m) {
    const auto minor = [&](int row, int column) {
        const int a = (row + 1) % 3;
        const int b = (row + 2) % 3;
        const int c = (column + 1) % 3;
        const int d = (column + 2) % 3;
        return m[a][c] * m[b][d] - m[a][d] * m[b][c];
    };
    const double determinant = m[0][0] * minor(0, 0) + m[0][1] * minor(0, 1) + m[0][2] * minor(0, 2);
    Matrix result{};
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) {
            result[column][row] = minor(row, column) / determinant;
        }
    }
    return result;
}

struct Place {
    double x;
    double y;
};

Place moved(const Matrix& m, double x, double y) {
    const double w = m[2][0] * x + m[2][1] * y + m[2][2];
    return {(m[0][0] * x + m[0][1] * y + m[0][2]) / w, (m[1][0] * x + m[1][1] * y + m[1][2]) / w};
}

/// Weights of samples at -1, 0, 1 and 2 from the place. The sharpness of a cubic is -0.5 (Catmull and Rom),
/// -0.75 or -1; 0 here means linear.
std::array<double, 4> weights_at(double part, double sharpness) {
    if (sharpness == 0) {
        return {0, 1 - part, part, 0};
    }
    const double a = sharpness;
    const auto near = [a](double t) { return ((a + 2) * t - (a + 3)) * t * t + 1; };
    const auto far = [a](double t) { return ((a * t - 5 * a) * t + 8 * a) * t - 4 * a; };
    return {far(1 + part), near(part), near(1 - part), far(2 - part)};
}

/// 0 where the place is so far beyond the source that nothing is written.
double sampled(const Picture& picture, Place place, double sharpness, int channel) {
    if (place.x < -2 || place.y < -2 || place.x > picture.size.width + 1 ||
        place.y > picture.size.height + 1) {
        return 0;
    }
    const int x = static_cast<int>(std::floor(place.x));
    const int y = static_cast<int>(std::floor(place.y));
    const std::array<double, 4> along_x = weights_at(place.x - x, sharpness);
    const std::array<double, 4> along_y = weights_at(place.y - y, sharpness);
    double sum = 0;
    for (int j = 0; j < 4; ++j) {
        for (int i = 0; i < 4; ++i) {
            sum += along_y[j] * along_x[i] * picture.sample(x + i - 1, y + j - 1, channel);
        }
    }
    return std::clamp(sum, 0.0, 255.0);
}

struct Reading {
    const char* name;
    int npp;
    std::vector<double> sharpness; ///< of which NPP does not say which it takes
};

const std::vector<Reading>& readings() {
    static const std::vector<Reading> all{{"linear", NPPI_INTER_LINEAR, {0}},
                                          {"cubic", NPPI_INTER_CUBIC, {-0.5, -0.75, -1}}};
    return all;
}

/// By each of these maps from the result to the source, and each cubic.
std::vector<Truth> truths(const Picture& picture, const std::vector<Matrix>& maps, const Reading& reading) {
    std::vector<Truth> all;
    for (const Matrix& map : maps) {
        for (const double sharpness : reading.sharpness) {
            all.push_back([&picture, map, sharpness](int x, int y, int c) {
                return sampled(picture, moved(map, x, y), sharpness, c);
            });
        }
    }
    return all;
}

constexpr double tolerance = 3; // places are single precision: 8191.4 is off by up to 0.0005

/// From the result to the source; all of the source that it shows lies inside. glproc's rows take the same
/// numbers.
constexpr Matrix affine{{{0.9, 0.08, 40}, {-0.05, 0.92, 500}, {0, 0, 1}}};
constexpr Matrix perspective{{{0.9, 0.08, 40}, {-0.05, 0.92, 500}, {2e-6, 1e-6, 1}}};

/// Matrices for pictures of 8192 pixels, made to fit others.
Matrix fitted(Matrix map, Size size) {
    map[0][2] *= size.width / 8192.0;
    map[1][2] *= size.height / 8192.0;
    return map;
}

void clear(const DeviceArray<std::uint8_t>& out, Size size) {
    peers::check(cudaMemset(out.data(), 0, 4 * size.pixels()));
}

} // namespace

void warp(Report& report, const Picture& picture) {
    const Size size = picture.size;
    const NppiRect whole{0, 0, size.width, size.height};
    const DeviceArray<std::uint8_t> out(4 * size.pixels());
    const double bytes = 8.0 * static_cast<double>(size.pixels());
    for (const Reading& reading : readings()) {
        const Matrix map = fitted(affine, size);
        const Matrix back = inverse(map);
        const double forth[2][3] = {{back[0][0], back[0][1], back[0][2]},
                                    {back[1][0], back[1][1], back[1][2]}};
        clear(out, size);
        report.variant(
            std::string("NPP WarpAffine ") + reading.name, bytes,
            [&] {
                check(nppiWarpAffine_8u_C4R_Ctx(picture.bytes.data(), extent(size), step_of(size), whole,
                                                out.data(), step_of(size), whole, forth, reading.npp,
                                                context()));
            },
            [&] {
                return right_by_one(size, out, truths(picture, {map}, reading), tolerance, Places::inside);
            });
    }
    for (const Reading& reading : readings()) {
        const Matrix map = fitted(perspective, size);
        const Matrix back = inverse(map);
        double forth[3][3] = {};
        for (int row = 0; row < 3; ++row) {
            std::copy(back[row].begin(), back[row].end(), forth[row]);
        }
        clear(out, size);
        report.variant(
            std::string("NPP WarpPerspective ") + reading.name, bytes,
            [&] {
                check(nppiWarpPerspective_8u_C4R_Ctx(picture.bytes.data(), extent(size), step_of(size), whole,
                                                     out.data(), step_of(size), whole, forth, reading.npp,
                                                     context()));
            },
            [&] {
                return right_by_one(size, out, truths(picture, {map}, reading), tolerance, Places::inside);
            });
    }
}

void rotate(Report& report, const Picture& picture) {
    constexpr double pi = 3.14159265358979323846;
    constexpr double degrees = 10;
    const Size from = picture.size;
    const NppiRect source{0, 0, from.width, from.height};
    double bounds[2][2] = {};
    check(nppiGetRotateBound(source, bounds, degrees, 0, 0));
    const Size to{static_cast<int>(std::ceil(bounds[1][0] - bounds[0][0])) + 1,
                  static_cast<int>(std::ceil(bounds[1][1] - bounds[0][1])) + 1};
    const double shift_x = -bounds[0][0];
    const double shift_y = -bounds[0][1];
    const DeviceArray<std::uint8_t> out(4 * to.pixels());
    std::vector<Matrix> maps; // whichever way it turns
    for (const double angle : {degrees * pi / 180, -degrees * pi / 180}) {
        const double c = std::cos(angle);
        const double s = std::sin(angle);
        maps.push_back(inverse(Matrix{{{c, s, shift_x}, {-s, c, shift_y}, {0, 0, 1}}}));
    }
    for (const Reading& reading : readings()) {
        clear(out, to);
        report.variant(
            std::string("NPP Rotate 10 degrees, ") + reading.name + ", to " + text(to),
            4.0 * static_cast<double>(from.pixels() + to.pixels()),
            [&] {
                check(nppiRotate_8u_C4R_Ctx(picture.bytes.data(), extent(from), step_of(from), source,
                                            out.data(), step_of(to), {0, 0, to.width, to.height}, degrees,
                                            shift_x, shift_y, reading.npp, context()));
            },
            [&] { return right_by_one(to, out, truths(picture, maps, reading), tolerance, Places::inside); });
    }
}

} // namespace peers::npp
