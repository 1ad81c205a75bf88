// Exposure, brightness, contrast, saturation and hue.
#pragma once

#include "glproc/kinds/light.hpp"
#include "glproc/kinds/point.hpp"
#include "glproc/op/level.hpp"

#include <vector>

namespace glproc {

/// Adjusts in this order: the exposure in linear light (of sRGB; floats are light unless told otherwise), the brightness, and the contrast about the
/// middle. Last comes one matrix for saturation and hue, which keeps luma and greys. Alpha is kept.
///
/// `modulate` stands alone: in HSL lightness and saturation are multiplied and hues turned, without clipping in between. Light is encoded before,
/// and decoded afterwards. This is ImageMagick's -modulate.
struct Adjust {
    double exposure = 0;  ///< stops: the light times 2^exposure
    Level brightness = 0; ///< v + brightness
    double contrast = 0;  ///< (v - 1/2) * 4^contrast + 1/2
    Level saturation = 1; ///< 0 is grey
    double hue = 0;       ///< degrees, from red to green
    std::vector<double> modulate = {}; ///< lightness, saturation and hue in percent: 100 changes nothing, a hue of 200 is 180 degrees
    FloatValues floats = FloatValues::linear; ///< the meaning of float values
    PointMethod method = PointMethod::automatic;

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
};

Plan plan(const Adjust& op, const Form& form);

} // namespace glproc
