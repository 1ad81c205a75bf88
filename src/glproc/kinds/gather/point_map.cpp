#include "glproc/kinds/gather/point_map.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/base/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace glproc {

namespace {

constexpr double beyond = 16; // farther beyond the edge than any filter reaches
constexpr int block_side = 64;
constexpr std::array<double, 4> no_bounds{
    std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(),
    -std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};

/// A point near the source that shows the same along this axis. Remainders are exact.
double near_point(double at, int n, BorderMode border) {
    if (std::isnan(at)) {
        return -beyond;
    }
    if (at >= -beyond && at <= n + beyond) {
        return at;
    }
    const bool has_edges = border == BorderMode::clamp || border == BorderMode::constant;
    if (has_edges || std::isinf(at)) {
        return std::clamp(at, -beyond, n + beyond);
    }
    const double period = border == BorderMode::wrap     ? n
                          : border == BorderMode::mirror ? std::max(2.0 * (n - 1), 1.0)
                                                         : 2.0 * n;
    const double rest = std::fmod(at, period);
    return rest < 0 ? rest + period : rest;
}

void widen(std::array<double, 4>& bounds, const std::array<double, 4>& by) {
    for (std::size_t i = 0; i < 2; ++i) {
        bounds[i] = std::min(bounds[i], by[i]);
        bounds[i + 2] = std::max(bounds[i + 2], by[i + 2]);
    }
}

int blocks_along(int size) {
    return covering(size, block_side);
}

} // namespace

PointMap::PointMap(Row row, const Form& source, BorderMode border, Int2 size)
    : row_(std::move(row)), source_(source), border_(border), size_(size) {}

std::vector<Double2> PointMap::points_in(const Rect& result) const {
    const auto width = static_cast<std::size_t>(result.width);
    std::vector<Double2> points(width * static_cast<std::size_t>(result.height));
    parallel_for(static_cast<std::size_t>(result.height), [&](std::size_t y) {
        const std::span<Double2> line(points.data() + y * width, width);
        row_(result.x, result.y + static_cast<int>(y), line);
        for (Double2& point : line) {
            point = {near_point(point[0], source_.width, border_),
                     near_point(point[1], source_.height, border_)};
        }
    });
    return points;
}

void PointMap::make_blocks() const {
    const int columns = blocks_along(size_[0]);
    for (int top = 0; top < size_[1]; top += block_side) {
        const Rect band{0, top, size_[0], std::min(block_side, size_[1] - top)};
        const std::vector<Double2> points = points_in(band);
        const std::size_t first = blocks_.size();
        blocks_.resize(first + static_cast<std::size_t>(columns), no_bounds);
        for (std::size_t i = 0; i < points.size(); ++i) {
            const auto column = static_cast<int>(i % static_cast<std::size_t>(size_[0])) / block_side;
            widen(blocks_[first + static_cast<std::size_t>(column)],
                  {points[i][0], points[i][1], points[i][0], points[i][1]});
        }
    }
}

std::array<double, 4> PointMap::bounds_of(const Rect& result) const {
    std::array<double, 4> bounds = no_bounds;
    if (result.width <= block_side && result.height <= block_side) {
        for (const Double2& point : points_in(result)) {
            widen(bounds, {point[0], point[1], point[0], point[1]});
        }
        return bounds;
    }
    std::call_once(has_blocks_, [this] { make_blocks(); });
    const int columns = blocks_along(size_[0]);
    for (int y = result.y / block_side; y <= (result.bottom() - 1) / block_side; ++y) {
        for (int x = result.x / block_side; x <= (result.right() - 1) / block_side; ++x) {
            widen(bounds, blocks_[static_cast<std::size_t>(y * columns + x)]);
        }
    }
    return bounds;
}

} // namespace glproc
