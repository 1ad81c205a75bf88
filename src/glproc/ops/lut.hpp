// Colours through a look-up table.
#pragma once

#include "glproc/kinds/point.hpp"
#include "glproc/ops/lut/cube_file.hpp"

namespace glproc {

/// Looks each colour up in the table of a .cube file. Between the table's entries it interpolates linearly
/// along one axis, or within a tetrahedron along three; it is flat beyond the table. Alpha is kept. A grey
/// picture becomes one in colour.
struct Lut {
    CubeFile cube = {};
    PointMethod method = PointMethod::automatic;

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
};

Plan plan(const Lut& op, const Form& form);

} // namespace glproc
