// Borders of a mask, followed pixel by pixel.
#pragma once

#include "glproc/kinds/host_mask.hpp"
#include "glproc/ops/components/labelling.hpp"
#include "glproc/ops/contours/outlines.hpp"

namespace glproc {

/// All borders with their hierarchy, as cv2.findContours() finds them with RETR_TREE: the same points and the
/// same order. `simplify`: only points where the border turns, as CHAIN_APPROX_SIMPLE.
///
/// Outlines come after their parents, and the ones found last come first. With four neighbours, borders go
/// along sides of pixels alone, and holes have diagonal ways through them.
///
/// Takes 4 bytes a pixel, and 8 a point.
///
/// Source: S. Suzuki, K. Abe, Topological structural analysis of digitized binary images by border following,
/// Computer Vision, Graphics, and Image Processing 30(1), 1985.
Outlines traced_outlines(const HostMask& mask, Connectivity connectivity, bool simplify);

} // namespace glproc
