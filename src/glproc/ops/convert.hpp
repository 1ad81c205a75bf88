// Other channels, the same picture.
#pragma once

#include "glproc/image/colour.hpp"
#include "glproc/kinds/point.hpp"

namespace glproc {

/// How alpha changes: "keep", "add", "drop" or "flatten:COLOUR".
struct AlphaChange {
    enum class Kind { keep, add, drop, flatten };
    Kind kind = Kind::keep;
    Colour background = {}; ///< of flatten
};

/// The picture as it is, but for its channels.
struct Convert {
    bool gray = false; ///< luma of Rec. 709 instead of the colours
    AlphaChange alpha = {};
    PointMethod method = PointMethod::automatic;

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
};

Plan plan(const Convert& op, const Form& form);

} // namespace glproc
