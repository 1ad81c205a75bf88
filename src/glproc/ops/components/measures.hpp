// Measures of components that need their labels: outlines, holes, and the values of a second picture.
#pragma once

#include "glproc/image/image.hpp"
#include "glproc/ops/components/hull.hpp"
#include "glproc/ops/components/spread.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace glproc {

/// Values of one channel over the pixels of a component. NaN makes all of them NaN.
struct ComponentValues {
    std::uint64_t count =
        0; ///< without pixels that cannot be seen; if there are no others, all are NaN but the sum
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

/// All that is known of components. Lists are empty unless they are measured.
struct MeasuredComponents {
    std::vector<ComponentSums> sums = {};
    std::vector<LabelledSums> labelled = {};
    std::vector<HullShape> hulls = {};
    std::vector<ValueSpread> spreads = {}; ///< of all channels of the first component, then of the second
    Form picture = {};
    Form with = {}; ///< of the picture whose values were measured
};

/// The kinds of measures that are wanted.
struct ComponentNeeds {
    bool moments = false; ///< by going over the mask
    bool outlines = false;
    bool hulls = false;
    bool values = false;
    bool spreads = false; ///< of values
    bool ranks = false;   ///< likewise: their median and mode

    bool labels() const { return outlines || hulls || values; }
};

/// Goes over rows of labels, from top to bottom.
///
/// The perimeter equals the one of scikit-image. Source: K. Benkrid, D. Crookes, Design and FPGA
/// implementation of a perimeter estimator, Queen's University of Belfast, 2000.
class LabelMeasures {
  public:
    /// `components` gets all that is measured of those that it has; it must outlive this.
    LabelMeasures(const ComponentNeeds& needs, MeasuredComponents& components);

    /// The next rows, and the same rows of the picture whose values are wanted, or null.
    void add(std::span<const std::uint32_t> labels, const Image* values);
    /// After the last row.
    void end();

  private:
    using Row = std::vector<std::uint32_t>; ///< with a 0 before and after it

    void add_row(std::span<const std::uint32_t> labels);
    template <class T>
    void add_values(std::span<const std::uint32_t> labels, const Image& picture);
    void count_holes();
    void mark_outline();
    void count_outline();

    std::size_t width_;
    ComponentNeeds needs_;
    MeasuredComponents& to_;
    std::vector<LabelledSums>& sums_; ///< of those
    std::optional<HullMeasures> hulls_;
    std::optional<SpreadMeasures> spreads_;
    std::array<Row, 3> rows_ = {}; ///< the last ones; empty before the first
    std::array<Row, 3> outline_ =
        {}; ///< labels of pixels at a side of their component; the last row belongs to rows_[1]
};

} // namespace glproc
