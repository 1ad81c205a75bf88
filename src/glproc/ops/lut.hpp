// Colours through a look-up table.
#pragma once

#include "glproc/kinds/point.hpp"
#include "glproc/ops/lut/cube_file.hpp"

namespace glproc {

/// Each colour through the table of a .cube file, straight between its entries along one axis, and within a
/// tetrahedron of them along three; flat beyond the table. Alpha is kept. A grey picture becomes one in
/// colour.
struct Lut {
    CubeFile cube = {};
    PointMethod method = PointMethod::automatic;

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
};

Plan plan(const Lut& op, const Form& form);

} // namespace glproc
