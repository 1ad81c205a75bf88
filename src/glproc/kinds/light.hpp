// The tables of glsl/lib/light.glsl.
#pragma once

#include "glproc/gl/pass.hpp"
#include "glproc/image/image.hpp"

namespace glproc {

/// The linear light of each code on the sRGB curve.
Floats light_of_codes(Depth depth);

/// The least linear light of each code but the first: half a step below its own.
Floats first_light(Depth depth);

} // namespace glproc
