// Turns and stretches colours about the axis of greys.
#pragma once

#include <array>

namespace glproc {

/// A matrix that changes colours relative to their grey, row by row. It multiplies their distance from grey
/// by `saturation`, and turns them about the axis of greys by `hue` degrees, from red to green. Luma (Rec.
/// 709) and greys stay.
///
/// Source: P. Haeberli, Matrix operations for image processing, 1993.
std::array<double, 9> saturation_and_hue(double saturation, double hue);

} // namespace glproc
