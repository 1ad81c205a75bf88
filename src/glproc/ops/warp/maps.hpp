// The maps of warp: from pixels of the result to points of the source.
#pragma once

#include "glproc/kinds/gather/point_map.hpp"
#include "glproc/ops/warp.hpp"

#include <array>
#include <memory>

namespace glproc {

/// By rows.
using Matrix3 = std::array<double, 9>;

/// The matrix that takes four points to four others, the last element 1. Throws Error(usage) if three of them
/// lie on a line.
Matrix3 matrix_between(const std::array<Double2, 4>& from, const std::array<Double2, 4>& to);

/// The points for rows of samples of the result; `samples` of a pixel along each axis.
PointMap::Row by_matrix(const Matrix3& matrix, int samples);
PointMap::Row by_lens(const std::array<double, 5>& lens, const Form& source, Int2 size, int samples);
PointMap::Row by_polar(const Form& source, Int2 size, int samples);
/// A sample a pixel.
PointMap::Row by_image(std::shared_ptr<const Image> map);

inline constexpr int most_samples = 8; ///< of a pixel along each axis

/// As many samples as the map shrinks the source where it shrinks it most, but no more than take twice the
/// source's pixels in all. `row` has the points of pixels.
int samples_for(const PointMap::Row& row, const Form& source, Int2 size);

} // namespace glproc
