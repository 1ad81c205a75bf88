// From the white of a colour temperature to the white of screens.
#pragma once

#include <array>

namespace glproc {

/// By rows, for linear red, green and blue: takes the white of a black body of `kelvin`, `tint` thousandths
/// of CIE's uv of 1960 above it, to 1, 1, 1.
std::array<double, 9> adaptation(double kelvin, double tint);

} // namespace glproc
