// Few levels of each colour.
#pragma once

#include "glproc/kinds/point.hpp"

namespace glproc {

/// Each colour becomes the nearest of `levels` values from 0 to 1 at equal distances; alpha is kept.
///
/// With n = levels - 1, a code c of integers, whose largest is m, goes to level k = floor(c n / m + 1/2).
/// Level k is the code floor(m k / n + 1/2). That is ImageMagick's rule.
///
/// Floats are clamped to 0 and 1. Level k is then the whole number nearest to v n, this rounded to a float,
/// and halfway the higher one. The result is k / n, rounded to a float. NaN stays.
struct Posterize {
    int levels = 4; ///< 2 to 256
    PointMethod method = PointMethod::automatic;

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
};

Plan plan(const Posterize& op, const Form& form);

} // namespace glproc
