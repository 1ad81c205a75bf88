// The guided filter by the processor, with the bits of glsl/guided/.
#pragma once

#include "glproc/op/plan.hpp"
#include "glproc/ops/guided.hpp"

namespace glproc {

/// The luma of an image of this size as floats, for images of another form: in its code units.
Image guide_for(const Form& form, const Image& guide);

/// By sums of whole numbers: see guided/sums.hpp.
Image guided_by_sums(const Guided& op, const Image& source);

/// By lines of floats.
struct GuidedLines {
    const Guided& op;
    const Image& source;
    const Image* guide;     ///< may be null
    const Plan& box_values; ///< means of colours, and of the guide
    const Plan& box_lines;  ///< means of colours
    float middle;           ///< of the range
    float eps;              ///< in squared code units
};

Image guided_by_lines(const GuidedLines& job);

} // namespace glproc
