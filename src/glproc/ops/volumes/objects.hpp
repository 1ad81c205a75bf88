// The objects of a volume: numbered as scipy.ndimage.label() does it, and measured in space.
#pragma once

#include "glproc/op/in_volume.hpp"

namespace glproc {

const InVolume& components_in_volume();

} // namespace glproc
