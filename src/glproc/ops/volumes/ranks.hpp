// Filters that put values of a volume in order: scipy.ndimage has the same, bit for bit.
#pragma once

#include "glproc/op/in_volume.hpp"

namespace glproc {

const InVolume& median_in_volume();
/// The shapes in space: boxes, ellipsoids, and three lines that cross.
const InVolume& morphology_in_volume();

} // namespace glproc
