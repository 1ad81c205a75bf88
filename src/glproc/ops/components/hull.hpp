// The convex hulls of components, and what is measured of them.
#pragma once

#include "glproc/ops/components/sums.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace glproc {

/// Lengths in pixels. Angles in degrees from the x axis, counter-clockwise, from 0 to below 180.
///
/// The area is scikit-image's: each pixel stands for the middles of its four sides, and pixels count whose
/// centre lies in the hull of these points, or on it. All else is measured of the hull of the pixels'
/// corners, as in ImageJ: a single pixel is 1.41 long.
///
/// Source: M. Shamos, Computational geometry, Yale University, 1978 (antipodal pairs); G. Toussaint, Solving
/// geometric problems with the rotating calipers, IEEE MELECON, 1983 (the smallest rectangle).
struct HullShape {
    std::uint64_t area = 0;
    double feret_max = 0;   ///< the largest distance of two corners
    double feret_angle = 0; ///< its direction; of several the smallest
    double feret_min = 0;   ///< the smallest distance of two parallel lines around the hull
    double rect_area = 0;   ///< of the smallest rectangle around the hull, in any direction
    double rect_length = 0; ///< its long side
    double rect_width = 0;
    double rect_angle = 0; ///< the direction of the long side; of a square the smallest
};

struct HullPoint {
    std::int64_t x = 0;
    std::int64_t y = 0;
};

/// The corners of a hull from top to bottom, on its left and on its right. It gets points row by row and
/// keeps corners alone.
///
/// A convex polygon on a grid of n by n has at most 3.6 n^(2/3) corners, so that an object of 60,000 rows
/// takes less than 100 KB. Source: D. Acketa, J. Zunic, On the maximal number of edges of convex digital
/// polygons included into an m x m grid, J. Combinatorial Theory A 69, 1995.
class HullChains {
  public:
    /// Pixels of a row from `first` to `last`; rows from top to bottom.
    void add(std::int64_t y, std::int64_t first, std::int64_t last);
    HullShape shape() const;

  private:
    using Chain = std::vector<HullPoint>;

    Chain left_;
    Chain right_;
};

/// Goes over rows of labels from top to bottom. A hull is kept until the last row of its component.
class HullMeasures {
  public:
    /// The components must outlive it.
    explicit HullMeasures(std::span<const ComponentSums> components)
        : components_(components), unfinished_(components.size()), shapes_(components.size()) {}

    void add_row(std::span<const std::uint32_t> labels);

    /// After the last row.
    std::vector<HullShape>& shapes() { return shapes_; }

  private:
    std::span<const ComponentSums> components_;
    std::vector<std::unique_ptr<HullChains>> unfinished_;
    std::vector<HullShape> shapes_;
    int y_ = 0;
};

} // namespace glproc
