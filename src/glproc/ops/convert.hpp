// Changes the channels of a picture.
#pragma once

#include "glproc/image/colour.hpp"
#include "glproc/kinds/light.hpp"
#include "glproc/kinds/point.hpp"

#include <cstddef>
#include <vector>

namespace glproc {

/// How alpha changes: "keep", "add", "drop" or "flatten:COLOUR".
struct AlphaChange {
    enum class Kind { keep, add, drop, flatten };
    Kind kind = Kind::keep;
    Colour background = {}; ///< of flatten
};

/// The same picture with other channels.
struct Convert {
    bool gray = false; ///< luma of Rec. 709 instead of the colours
    AlphaChange alpha = {};
    bool to_srgb = false;                     ///< first from its ICC profile to sRGB, as Profile does
    FloatValues floats = FloatValues::automatic; ///< for that
    std::vector<std::byte> own = {};          ///< the profile that came with the picture, if it did
    PointMethod method = PointMethod::automatic;

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
};

Plan plan(const Convert& op, const Form& form);

} // namespace glproc
