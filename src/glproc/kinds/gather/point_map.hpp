// Pictures seen through any map: a point of the source for each pixel of the result, by the processor.
#pragma once

#include "glproc/kinds/gather/windows.hpp"

#include <array>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

namespace glproc {

using Double2 = std::array<double, 2>;

/// Maps pixels of the result to points of the source, as Affine does. Points that are not finite do not
/// exist: they lie beyond the edge, at the top left. Points depend on nothing but their pixel, so tiles have
/// the same.
class PointMap {
  public:
    /// Writes the points of pixels in a row, beginning at x, y.
    using Row = std::function<void(int x, int y, std::span<Double2> points)>;

    PointMap(Row row, const Form& source, BorderMode border, Int2 size);

    /// Row by row, none of them far beyond the source: where the border repeats or mirrors it, a nearer point
    /// that shows the same stands for them.
    std::vector<Double2> points_in(const Rect& result) const;

    /// The smallest rectangle that holds these points, or a larger one: left, top, right and bottom.
    std::array<double, 4> bounds_of(const Rect& result) const;

  private:
    void make_blocks() const;

    Row row_;
    Form source_;
    BorderMode border_;
    Int2 size_;
    mutable std::once_flag has_blocks_;
    mutable std::vector<std::array<double, 4>> blocks_; ///< bounds of squares of the result
};

} // namespace glproc
