// The second image of blend as it lies on the image.
#pragma once

#include "glproc/image/fraction.hpp"
#include "glproc/kinds/second.hpp"
#include "glproc/op/tiles.hpp"
#include "glproc/ops/blend.hpp"

namespace glproc {

/// The second image of `op` in the depth and the colours of `form`, with the mask in its alpha, at its size
/// and place. Throws Error(usage) if the mask has another size.
SecondImage second_of(const Blend& op, const Form& form);

/// Where a second image of this size lies on the image. It may reach beyond the edges.
Rect place_of_second(const Blend& op, const Form& form, const Extent& second);

/// The plan of `op` with a second image that second_of() has made.
Plan blend_plan(const Blend& op, const Form& form, SecondImage laid);

} // namespace glproc
