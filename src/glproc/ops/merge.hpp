// A picture of channels that are images of their own.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/op/plan.hpp"

#include <vector>

namespace glproc {

/// Copies grey images of one size into the channels of one, bit for bit: red, green, blue and alpha, or grey and alpha if
/// there are two. The result has the largest depth.
struct Merge {
    std::vector<RowSource> more = {}; ///< the images after the first one

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
};

/// Works row by row on the processor: nothing is computed. Throws Error(usage) for too few or too many images, and for
/// those that are not grey, or differ in size.
Plan plan(const Merge& op, const Form& form);

} // namespace glproc
