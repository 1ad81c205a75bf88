// Point operations that depend on the luma of a pixel.
#pragma once

#include "glproc/kinds/point.hpp"
#include "glproc/kinds/samples.hpp"

namespace glproc {

/// The first parameters of an operation that includes glsl/lib/point_luma.glsl.
std::vector<float> luma_params(LumaWeights weights, const Form& form);

/// The luma of float images, 0 to 1 or as they are.
double float_luma(const Colour4& v, LumaWeights weights);

} // namespace glproc
