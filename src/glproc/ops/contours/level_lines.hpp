// Lines at a level between pixels.
#pragma once

#include "glproc/ops/contours/outlines.hpp"

namespace glproc {

/// Lines of a grey picture where values, between the centres of pixels, pass `level`, in its codes. The same
/// lines in the same order, with the same coordinates in double precision, as skimage.measure.find_contours()
/// has them. Lower values are on the left of a line as it is seen. `joins_high`: in squares with two high
/// corners across, these belong together. Pixels that are NaN or hidden have no lines beside them.
///
/// Source: W. Lorensen, H. Cline, Marching cubes: a high resolution 3D surface construction algorithm,
/// Computer Graphics 21(4), 1987, in two dimensions.
Outlines level_lines(const Image& grey, double level, bool joins_high);

} // namespace glproc
