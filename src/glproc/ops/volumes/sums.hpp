// Filters that add up values of a volume, in doubles and with the weights that they have for images. They
// are what scipy.ndimage makes of the volume as float64, rounded once.
#pragma once

#include "glproc/op/in_volume.hpp"

namespace glproc {

const InVolume& blur_in_volume();
const InVolume& box_in_volume();
const InVolume& unsharp_in_volume();
const InVolume& sobel_in_volume();
const InVolume& laplacian_in_volume();

} // namespace glproc
