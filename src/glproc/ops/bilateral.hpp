// Smoothing that keeps edges.
#pragma once

#include "glproc/kinds/window.hpp"
#include "glproc/op/level.hpp"

#include <optional>

namespace glproc {

/// The mean of the pixels in a disc. Two Gaussians weight it: of the distance from the middle, and of the difference from the
/// value there, summed over all channels. Alpha is a channel like the others; `premultiply` compares colours as they look on
/// black, rounded to a code, and weights them by alpha. A Gaussian's weights below 2^-40 are 0.
///
/// Integer results are the exact mean, rounded once with ties to even; floats are within 1e-6 of full scale. Equals OpenCV's
/// bilateralFilter() of diameter 2 radius + 1 within a code. A pixel with a value that is not finite stays, and counts for no
/// other.
struct Bilateral {
    double sigma = 0;                        ///< of the distance, in pixels
    Level range = 0.1;                       ///< sigma of the difference
    std::optional<int> radius = std::nullopt; ///< of the disc; without it floor(1.5 sigma), at least 1
    Border border = {};
    AlphaMode alpha = AlphaMode::premultiply;
    WindowMethod method = WindowMethod::automatic;

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
};

Plan plan(const Bilateral& op, const Form& form);

} // namespace glproc
