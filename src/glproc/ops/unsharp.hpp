// Unsharp masking.
#pragma once

#include "glproc/kinds/light.hpp"
#include "glproc/kinds/separable/separable.hpp"
#include "glproc/op/level.hpp"

namespace glproc {

/// Sharpens (unsharp mask) with a Gaussian blur G: v + amount (v - G(v)) where |v - G(v)| is above the
/// threshold, else v. Nothing is rounded in between. Colour is compared with its mean weighted by alpha, and
/// alpha is kept; with AlphaMode::straight alpha is sharpened as well. NaN spreads as far as the Gaussian
/// reaches.
struct Unsharp {
    PerAxis<double> sigma = 1.0; ///< pixels, 0 to 1000
    double amount = 1;           ///< -100 to 100; below 0 it softens
    Level threshold = 0;         ///< 0 to 1; more is possible for floats
    Border border = {};
    AlphaMode alpha = AlphaMode::premultiply;
    bool linear = false; ///< in linear light: integer images are taken to be sRGB
    FloatValues floats = FloatValues::automatic; ///< with `linear`: the meaning of float values
    FilterMethod method = FilterMethod::automatic;

    /// The sharpened image, of the same size and format. Throws Error(usage) for values out of range.
    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
};

Plan plan(const Unsharp& op, const Form& form);

} // namespace glproc
