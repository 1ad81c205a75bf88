// A colour matrix.
#pragma once

#include "glproc/kinds/point.hpp"
#include "glproc/op/level.hpp"

namespace glproc {

/// Each colour of the result is a weighted sum of the three of the source, and an offset; alpha is kept. A
/// grey picture becomes one in colour.
struct Matrix {
    std::vector<Level> matrix = {1, 0, 0, 0, 1,
                                 0, 0, 0, 1}; ///< three rows of three weights, or of these and an offset
    PointMethod method = PointMethod::automatic;

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
};

Plan plan(const Matrix& op, const Form& form);

} // namespace glproc
