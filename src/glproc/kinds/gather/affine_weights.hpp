// Weights that the kernel of affine maps and its reference share.
#pragma once

#include "glproc/kinds/gather/affine.hpp"

#include <vector>

namespace glproc {

/// Whether colour is weighted by alpha.
bool weighs(const Affine& affine, const Form& form);

/// Weights for a point `part` of a pixel right of the centre of the pixel before the middle; they add up
/// to 1.
std::vector<double> weights_at(ResampleFilter filter, int taps, double part);

/// The pixel that a point lies in. Points beyond any border's reach are moved, so that it fits in an int.
int whole(double point);

} // namespace glproc
