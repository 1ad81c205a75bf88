// Colour spaces in double precision: the reference of color, and its constants.
#pragma once

#include "glproc/ops/color.hpp"

#include <array>

namespace glproc {

using Triple = std::array<double, 3>;

/// Rows of the matrix from linear light to XYZ, and of its inverse.
extern const std::array<double, 9> xyz_of_light;
const std::array<double, 9>& light_of_xyz();

/// u' and v' of the white of D65.
std::array<double, 2> white_chroma();

/// Whether its values are on the curve of sRGB.
bool is_encoded(ColourSpace space);

/// From values as they are to values as an image of this depth holds them, 0 to 1: scale x value + offset.
struct Scaling {
    Triple scale;
    Triple offset;
};
Scaling scaling_of(ColourSpace space, Depth depth);

/// Between values as they are.
Triple converted(const Triple& colour, ColourSpace from, ColourSpace to);

} // namespace glproc
