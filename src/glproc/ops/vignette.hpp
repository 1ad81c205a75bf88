// Darker corners, or brighter ones.
#pragma once

#include "glproc/kinds/point.hpp"

namespace glproc {

/// Each colour v becomes v (1 - amount s), where s = t² (3 - 2 t). From `start` to the corners, t goes from 0 to 1 with the
/// distance from the middle. Alpha is kept. A negative amount brightens the corners, which a lens may have darkened.
struct Vignette {
    double amount = 0.5; ///< -4 to 1
    double start = 0.3;  ///< part of the way to the corners, 0 to 0.99
    PointMethod method = PointMethod::automatic;

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
};

Plan plan(const Vignette& op, const Form& form);

} // namespace glproc
