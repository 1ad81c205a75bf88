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

/// The points for rows of the result.
PointMap::Row by_matrix(const Matrix3& matrix);
PointMap::Row by_lens(const std::array<double, 5>& lens, const Form& source, Int2 size);
PointMap::Row by_polar(const Form& source, Int2 size);
PointMap::Row by_image(std::shared_ptr<const Image> map);

} // namespace glproc
