// A picture turned.
#pragma once

#include "glproc/kinds/gather/plan.hpp"

namespace glproc {

/// The picture turned clockwise about its middle. A quarter turn moves pixels bit for bit; any other angle
/// mixes them.
struct Rotate {
    double angle = 0;       ///< degrees
    bool keep_size = false; ///< else the result holds the whole turned picture
    ResampleFilter filter = ResampleFilter::cubic;
    Border border =
        BorderMode::constant; ///< what is beyond its edges; black, or transparent where there is alpha
    AlphaMode alpha = AlphaMode::premultiply;
    GatherMethod method = GatherMethod::automatic;

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
};

/// Throws Error(usage) for an angle that is not finite.
Plan plan(const Rotate& op, const Form& form);

} // namespace glproc
