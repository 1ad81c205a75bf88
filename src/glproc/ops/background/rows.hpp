// Backgrounds by the processor, with the bits of glsl/background/.
#pragma once

#include "glproc/image/image.hpp"
#include "glproc/ops/background.hpp"

namespace glproc {

/// How far a paraboloid reaches before it is as high as white.
int paraboloid_reach(int radius);

/// How many numbers a code is, or 1 of floats.
int number_scale(const Background& op, const Form& form);

/// A value that no paraboloid touches, for pixels that cannot be seen.
double out_of_reach(const Background& op, Depth depth);

/// The background below a paraboloid, or the result without it.
Image without_paraboloid(const Background& op, const Image& source);

/// The result for a background that was found.
Image without_background(const Background& op, const Image& source, const Image& around);

} // namespace glproc
