// How far maxima stand out of the pixels around them.
#pragma once

#include "glproc/ops/maxima.hpp"

#include <span>
#include <vector>

namespace glproc {

/// The values of a whole picture, row by row.
struct Heights {
    int width = 0;
    int height = 0;
    std::span<const float> values = {};
    bool is_eight = true; ///< whether a step may go to a corner
};

/// Sets the prominence of each maximum: how far one has to go down at least to come to a higher pixel. A
/// pixel of the same height that comes earlier, row by row, counts as higher. For the highest of all, the
/// prominence is the height above `least`. `maxima` are ordered, the highest
/// first.
///
/// Throws Error(operation) for pictures of more than 2^32 - 2 pixels.
void set_prominences(const Heights& heights, float least, std::vector<Maximum>& maxima);

} // namespace glproc
