#include "glproc/ops/components/hull.hpp"

#include "glproc/ops/components/label_runs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace glproc {

namespace {

HullPoint operator-(HullPoint a, HullPoint b) {
    return {a.x - b.x, a.y - b.y};
}

/// Above 0 where b turns clockwise from a, as a picture is seen.
std::int64_t cross(HullPoint a, HullPoint b) {
    return a.x * b.y - a.y * b.x;
}

std::int64_t dot(HullPoint a, HullPoint b) {
    return a.x * b.x + a.y * b.y;
}

/// Appends a point that is not above the last one, and removes those that are no corners any more.
/// `side` is -1 on the left and 1 on the right.
void append(std::vector<HullPoint>& chain, HullPoint p, int side) {
    if (!chain.empty() && chain.back().y == p.y) {
        if ((p.x - chain.back().x) * side <= 0) {
            return;
        }
        chain.pop_back();
    }
    while (chain.size() > 1) {
        const HullPoint before = chain[chain.size() - 2];
        if (cross(chain.back() - before, p - before) * side > 0) {
            break;
        }
        chain.pop_back();
    }
    chain.push_back(p);
}

/// The chain on a grid that is `scale` times as fine, around the points at these places of each of its own.
std::vector<HullPoint> around(const std::vector<HullPoint>& chain, std::int64_t scale,
                              std::span<const HullPoint> places, int side) {
    std::vector<HullPoint> outer;
    for (const HullPoint& corner : chain) {
        for (const HullPoint& place : places) {
            append(outer, {corner.x * scale + place.x, corner.y * scale + place.y}, side);
        }
    }
    return outer;
}

std::int64_t floor_of(std::int64_t a, std::int64_t b) {
    return a / b - (a % b < 0 ? 1 : 0);
}

/// The place of a chain in rows that come from top to bottom, and the pixels inside it.
class ChainWalk {
  public:
    /// The chain is on a grid that is twice as fine as the pixels.
    ChainWalk(std::vector<HullPoint> chain, int side) : chain_(std::move(chain)), side_(side) {}

    /// The last pixel inside. All is exact: a pixel lies beyond a point that is no pixel's centre, or on it.
    std::int64_t pixel_of_row(std::int64_t y) {
        while (chain_[at_ + 1].y < 2 * y) {
            ++at_;
        }
        const HullPoint a = chain_[at_];
        const HullPoint edge = chain_[at_ + 1] - a;
        const std::int64_t along = edge.x * (2 * y - a.y) * side_;
        return floor_of(a.x * side_ + floor_of(along, edge.y), 2) * side_;
    }

  private:
    std::vector<HullPoint> chain_;
    int side_;
    std::size_t at_ = 0;
};

/// The same direction or its opposite, with an angle from 0 to below 180 degrees.
HullPoint upwards(HullPoint d) {
    return d.y > 0 || (d.y == 0 && d.x < 0) ? HullPoint{-d.x, -d.y} : d;
}

/// Whether the first of two such angles is the smaller one.
bool is_before(HullPoint a, HullPoint b) {
    return cross(upwards(a), upwards(b)) < 0;
}

double angle_of(HullPoint d) {
    const HullPoint up = upwards(d);
    return std::atan2(static_cast<double>(-up.y), static_cast<double>(up.x)) * (180 / std::numbers::pi);
}

/// Goes around a hull, with the corners that are farthest in each direction from an edge.
class Calipers {
  public:
    /// Corners clockwise, none of them on a line with its neighbours.
    explicit Calipers(std::vector<HullPoint> corners) : corners_(std::move(corners)) {}

    void measure(HullShape& shape) {
        std::int64_t longest = 0;
        HullPoint feret;
        shape.feret_min = shape.rect_area = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < corners_.size(); ++i) {
            turn_to(i);
            for (const std::size_t end : {i, i + 1}) {
                const HullPoint apart = at(far_) - at(end);
                const std::int64_t square = dot(apart, apart);
                if (square > longest || (square == longest && is_before(apart, feret))) {
                    longest = square;
                    feret = apart;
                }
            }
            use_edge(i, shape);
        }
        shape.feret_max = std::sqrt(static_cast<double>(longest));
        shape.feret_angle = angle_of(feret);
    }

  private:
    const HullPoint& at(std::size_t i) const { return corners_[i % corners_.size()]; }
    HullPoint edge(std::size_t i) const { return at(i + 1) - at(i); }

    void turn_to(std::size_t i) {
        const HullPoint along = edge(i);
        while (cross(along, edge(far_)) > 0) {
            ++far_;
        }
        while (dot(along, edge(front_)) > 0) {
            ++front_;
        }
        back_ = i == 0 ? far_ : back_;
        while (dot(along, edge(back_)) < 0) {
            ++back_;
        }
    }

    /// The strip and the rectangle along an edge. Both are integers, divided by its length.
    void use_edge(std::size_t i, HullShape& shape) const {
        const HullPoint along = edge(i);
        const std::int64_t across = cross(along, at(far_) - at(i));
        const std::int64_t forward = dot(along, at(front_) - at(back_));
        const auto square = static_cast<double>(dot(along, along));
        const double length = std::sqrt(square);
        shape.feret_min = std::min(shape.feret_min, static_cast<double>(across) / length);
        const double area = static_cast<double>(across) * static_cast<double>(forward) / square;
        if (area < shape.rect_area) {
            const HullPoint other{-along.y, along.x};
            const bool is_long = forward > across || (forward == across && is_before(along, other));
            shape.rect_area = area;
            shape.rect_length = static_cast<double>(std::max(forward, across)) / length;
            shape.rect_width = static_cast<double>(std::min(forward, across)) / length;
            shape.rect_angle = angle_of(is_long ? along : other);
        }
    }

    std::vector<HullPoint> corners_;
    std::size_t far_ = 1; ///< across the edge
    std::size_t front_ = 1;
    std::size_t back_ = 1;
};

} // namespace

void HullChains::add(std::int64_t y, std::int64_t first, std::int64_t last) {
    append(left_, {first, y}, -1);
    append(right_, {last, y}, 1);
}

HullShape HullChains::shape() const {
    constexpr std::array<HullPoint, 3> left_middles{{{0, -1}, {-1, 0}, {0, 1}}};
    constexpr std::array<HullPoint, 3> right_middles{{{0, -1}, {1, 0}, {0, 1}}};
    constexpr std::array<HullPoint, 2> left_corners{{{0, 0}, {0, 1}}};
    constexpr std::array<HullPoint, 2> right_corners{{{1, 0}, {1, 1}}};
    HullShape shape;
    ChainWalk first(around(left_, 2, left_middles, -1), -1);
    ChainWalk last(around(right_, 2, right_middles, 1), 1);
    for (std::int64_t y = left_.front().y; y <= left_.back().y; ++y) {
        shape.area += static_cast<std::uint64_t>(last.pixel_of_row(y) - first.pixel_of_row(y) + 1);
    }
    Chain corners = around(right_, 1, right_corners, 1);
    const Chain up = around(left_, 1, left_corners, -1);
    corners.insert(corners.end(), up.rbegin(), up.rend());
    Calipers(std::move(corners)).measure(shape);
    return shape;
}

void HullMeasures::add_row(std::span<const std::uint32_t> labels) {
    for_label_runs(labels, [&](std::size_t i, std::size_t begin, std::size_t end) {
        std::unique_ptr<HullChains>& hull = unfinished_[i];
        if (!hull) {
            hull = std::make_unique<HullChains>();
        }
        hull->add(y_, static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end) - 1);
    });
    for_label_runs(labels, [&](std::size_t i, std::size_t, std::size_t) {
        if (components_[i].bottom == y_ && unfinished_[i]) {
            shapes_[i] = unfinished_[i]->shape();
            unfinished_[i].reset();
        }
    });
    ++y_;
}

} // namespace glproc
