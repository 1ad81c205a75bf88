// The curve of sRGB: IEC 61966-2-1:1999.
#pragma once

namespace glproc {

/// Linear light from a value on the curve, and back. 0 and 1 stay the same; below 0 both continue as the
/// straight line they begin with.
double linear_of_srgb(double encoded);
double srgb_of_linear(double linear);

} // namespace glproc
