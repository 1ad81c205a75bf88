// Weights that the kernel of affine maps and the processor share.
#pragma once

#include "glproc/kinds/gather/affine.hpp"

#include <vector>

namespace glproc {

/// Whether colour is weighted by alpha.
bool weighs(const Affine& affine, const Form& form);

/// LONG_SUMS of the kernel.
bool has_long_sums(const Affine& affine, const Form& form);

constexpr int phase_count = 2048; // PHASES of the kernel

/// i_phases of the kernel: the weights of each phase in pairs, each pair with its growth to the next phase.
Floats phases_of(ResampleFilter filter, int taps, bool is_long);

/// Weights for a point `part` of a pixel right of the centre of the pixel before the middle; they add up
/// to 1.
std::vector<double> weights_at(ResampleFilter filter, int taps, double part);

/// The pixel that a point lies in. Points beyond any border's reach are moved, so that it fits in an int.
int whole(double point);

} // namespace glproc
