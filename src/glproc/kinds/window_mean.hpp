// Weighted means of the pixels in a disc: operations of the kind window whose GLSL includes kinds/window_mean.glsl.
#pragma once

#include "glproc/kinds/window.hpp"

#include <vector>

namespace glproc {

/// A mean over all pixels whose middles are at most `radius` away. Alpha is a channel like the others; `premultiply` compares
/// colours as they look on black, rounded to a code, and weights them by alpha. A pixel with a value that is not finite stays as
/// it is, and weighs nothing.
struct WindowMean {
    int radius = 1;
    std::vector<float> params = {}; ///< what param(2) and those after it read
};

/// Completes `window`, which has its alpha, table and the like: the reach and the parameters.
Plan window_mean_plan(const Form& form, Window window, const WindowMean& mean);

} // namespace glproc
