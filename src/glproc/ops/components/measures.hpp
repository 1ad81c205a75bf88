// Measures of components that need their labels: outlines, holes, and the values of a second picture.
#pragma once

#include "glproc/image/image.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace glproc {

/// Values of one channel over the pixels of a component. NaN makes all of them NaN.
struct ComponentValues {
    std::uint64_t count = 0; ///< without pixels that cannot be seen; if there are no others, all are NaN but the sum
    std::uint64_t codes = 0; ///< the sum, of integers
    double floats = 0;       ///< the sum, of floats, in the order of the pixels
    double least = std::numeric_limits<double>::quiet_NaN();
    double largest = std::numeric_limits<double>::quiet_NaN();

    double sum(Depth depth) const { return depth == Depth::f32 ? floats : static_cast<double>(codes); }
    double mean(Depth depth) const { return sum(depth) / static_cast<double>(count); }
};

/// Counts of one component.
struct LabelledSums {
    /// Pixels of the outline by how it goes on there: straight, diagonally, or one and then the other.
    std::uint64_t straight = 0;
    std::uint64_t diagonal = 0;
    std::uint64_t bent = 0;
    std::int64_t euler = 0;                   ///< 1 minus the number of holes
    std::vector<ComponentValues> values = {}; ///< of each channel
};

/// Goes over rows of labels, from top to bottom.
///
/// The perimeter equals the one of scikit-image. Source: K. Benkrid, D. Crookes, Design and FPGA
/// implementation of a perimeter estimator, Queen's University of Belfast, 2000.
class LabelMeasures {
  public:
    LabelMeasures(int width, std::size_t components, bool measures_shapes)
        : width_(static_cast<std::size_t>(width)), measures_shapes_(measures_shapes), sums_(components) {}

    /// The next rows, and the same rows of the picture whose values are wanted, or null.
    void add(std::span<const std::uint32_t> labels, const Image* values);
    /// After the last row.
    void end();

    const std::vector<LabelledSums>& sums() const { return sums_; }

  private:
    using Row = std::vector<std::uint32_t>; ///< with a 0 before and after it

    void add_row(std::span<const std::uint32_t> labels);
    template <class T>
    void add_values(std::span<const std::uint32_t> labels, const Image& picture);
    void count_holes();
    void mark_outline();
    void count_outline();

    std::size_t width_;
    bool measures_shapes_;
    std::vector<LabelledSums> sums_;
    std::array<Row, 3> rows_ = {}; ///< the last ones; empty before the first
    std::array<Row, 3> outline_ =
        {}; ///< labels of pixels at a side of their component; the last row belongs to rows_[1]
};

} // namespace glproc
