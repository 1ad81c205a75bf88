// Distances in a volume: scipy.ndimage.distance_transform_edt(), rounded to floats.
#pragma once

#include "glproc/op/in_volume.hpp"

namespace glproc {

const InVolume& distance_in_volume();

} // namespace glproc
