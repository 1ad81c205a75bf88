// The guided filter by its definition, in double precision.
#pragma once

#include "glproc/ops/guided.hpp"

#include <vector>

namespace glproc {

/// The luma of an image of this size as floats, for images of another form: in its code units.
Image guide_for(const Form& form, const Image& guide);

/// The result for all pixels in code units, unrounded. `guide` may be null.
std::vector<double> guided_on_cpu(const Guided& op, const Image& image, const Image* guide);

} // namespace glproc
