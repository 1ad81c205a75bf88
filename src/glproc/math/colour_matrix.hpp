// Colours turned and stretched about the axis of greys.
#pragma once

#include <array>

namespace glproc {

/// The matrix that multiplies the distance of a colour from its grey by `saturation` and turns it about the
/// axis of greys by `hue` degrees, from red to green, row by row. Luma (Rec. 709) and greys stay.
///
/// Source: P. Haeberli, Matrix operations for image processing, 1993.
std::array<double, 9> saturation_and_hue(double saturation, double hue);

} // namespace glproc
