#include "glproc/ops/warp/maps.hpp"

#include "glproc/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace glproc {

namespace {

/// The rows of equations for eight unknowns, each followed by its right side.
using Equations = std::array<std::array<double, 9>, 8>;

/// Solves them by Gauss's elimination with the largest pivots.
std::array<double, 8> solved(Equations rows) {
    for (std::size_t i = 0; i < 8; ++i) {
        const auto largest =
            std::max_element(rows.begin() + std::ptrdiff_t(i), rows.end(),
                             [i](const auto& a, const auto& b) { return std::abs(a[i]) < std::abs(b[i]); });
        std::swap(*largest, rows[i]);
        for (std::size_t row = 0; row < 8; ++row) {
            const double factor = rows[row][i] / rows[i][i];
            for (std::size_t k = i; k < 9 && row != i; ++k) {
                rows[row][k] -= factor * rows[i][k];
            }
        }
    }
    std::array<double, 8> values{};
    for (std::size_t i = 0; i < 8; ++i) {
        values[i] = rows[i][8] / rows[i][i];
    }
    return values;
}

/// Throws Error(usage) if three of the points lie on a line, in units of the largest coordinate.
void check_corners(const std::array<Double2, 4>& p, double unit) {
    for (std::size_t i = 0; i < 4; ++i) {
        const Double2& a = p[i];
        const Double2& b = p[(i + 1) % 4];
        const Double2& c = p[(i + 2) % 4];
        const double twice_area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        if (std::abs(twice_area) < 1e-9 * unit * unit) {
            throw Error(ErrorCode::usage,
                        "three of the four points of --points lie on a line, so no perspective fits them",
                        "name the corners around the part: top left, top right, bottom right, bottom left");
        }
    }
}

/// A map that says each point by itself, for samples of pixels.
template <class PointOf>
PointMap::Row by_point(int samples, PointOf point_of) {
    return [samples, point_of](int x, int y, std::span<Double2> points) {
        for (std::size_t i = 0; i < points.size(); ++i) {
            points[i] = point_of((x + static_cast<double>(i) + 0.5) / samples, (y + 0.5) / samples);
        }
    };
}

} // namespace

Matrix3 matrix_between(const std::array<Double2, 4>& from, const std::array<Double2, 4>& to) {
    // In units of the largest coordinate, so that pivots can be judged.
    double unit = 1;
    for (std::size_t i = 0; i < 4; ++i) {
        for (const double v : {from[i][0], from[i][1], to[i][0], to[i][1]}) {
            unit = std::max(unit, std::abs(v));
        }
    }
    check_corners(from, unit);
    check_corners(to, unit);
    Equations rows{};
    for (std::size_t i = 0; i < 4; ++i) {
        const double x = from[i][0] / unit;
        const double y = from[i][1] / unit;
        const double u = to[i][0] / unit;
        const double v = to[i][1] / unit;
        rows[2 * i] = {x, y, 1, 0, 0, 0, -x * u, -y * u, u};
        rows[2 * i + 1] = {0, 0, 0, x, y, 1, -x * v, -y * v, v};
    }
    const std::array<double, 8> m = solved(rows);
    return {m[0], m[1], m[2] * unit, m[3], m[4], m[5] * unit, m[6] / unit, m[7] / unit, 1};
}

PointMap::Row by_matrix(const Matrix3& m, int samples) {
    return by_point(samples, [m](double x, double y) {
        const double depth = m[6] * x + m[7] * y + m[8];
        const double none = std::numeric_limits<double>::quiet_NaN();
        return depth > 0 ? Double2{(m[0] * x + m[1] * y + m[2]) / depth, (m[3] * x + m[4] * y + m[5]) / depth}
                         : Double2{none, none};
    });
}

PointMap::Row by_lens(const std::array<double, 5>& lens, const Form& source, Int2 size, int samples) {
    const double unit = std::hypot(source.width, source.height) / 2;
    const Double2 from{source.width / 2.0, source.height / 2.0};
    const Double2 middle{size[0] / 2.0, size[1] / 2.0};
    return by_point(samples, [=](double column, double row) {
        const auto& [k1, k2, k3, p1, p2] = lens; // here: clang 14 captures no structured binding
        const double x = (column - middle[0]) / unit;
        const double y = (row - middle[1]) / unit;
        const double r2 = x * x + y * y;
        const double radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3));
        return Double2{from[0] + unit * (x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x)),
                       from[1] + unit * (y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y)};
    });
}

PointMap::Row by_polar(const Form& source, Int2 size, int samples) {
    const double reach = std::min(source.width, source.height) / 2.0;
    const Double2 middle{source.width / 2.0, source.height / 2.0};
    return [=](int x, int y, std::span<Double2> points) {
        const double angle = 2 * std::numbers::pi * ((y + 0.5) / samples) / size[1];
        const double right = std::cos(angle);
        const double down = std::sin(angle);
        for (std::size_t i = 0; i < points.size(); ++i) {
            const double distance = reach * ((x + static_cast<double>(i) + 0.5) / samples) / size[0];
            points[i] = {middle[0] + distance * right, middle[1] + distance * down};
        }
    };
}

PointMap::Row by_image(std::shared_ptr<const Image> map) {
    return [map](int x, int y, std::span<Double2> points) {
        for (std::size_t i = 0; i < points.size(); ++i) {
            const int column = x + static_cast<int>(i);
            points[i] = {map->at(column, y, 0), map->at(column, y, 1)};
        }
    };
}

int samples_for(const PointMap::Row& row, const Form& source, Int2 size) {
    constexpr int places = 33; // along each axis where the map is analysed
    const auto is_seen = [&](const Double2& p) {
        return p[0] >= -1 && p[1] >= -1 && p[0] <= source.width + 1.0 && p[1] <= source.height + 1.0;
    };
    double most = 1;
    for (int j = 0; j < places; ++j) {
        for (int i = 0; i < places; ++i) {
            const int x = static_cast<int>((size[0] - 1.0) * i / (places - 1));
            const int y = static_cast<int>((size[1] - 1.0) * j / (places - 1));
            std::array<Double2, 2> line{};
            std::array<Double2, 1> below{};
            row(x, y, line);
            row(x, y + 1, below);
            for (const Double2& next : {line[1], below[0]}) {
                if (is_seen(line[0]) && is_seen(next)) {
                    most = std::max(most, std::hypot(next[0] - line[0][0], next[1] - line[0][1]));
                }
            }
        }
    }
    const double pixels = double(source.width) * source.height / (double(size[0]) * size[1]);
    const double affordable = std::max(std::ceil(std::sqrt(2 * pixels)), 1.0);
    return static_cast<int>(std::min({std::round(most), affordable, double(most_samples)}));
}

} // namespace glproc
