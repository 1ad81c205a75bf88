// The negative of a picture.
#pragma once

#include "glproc/kinds/point.hpp"

namespace glproc {

/// 1 - v for every colour channel: 255 - v of 8 bits, 65535 - v of 16. Alpha is kept.
struct Invert {
    PointMethod method = PointMethod::automatic;

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
};

Plan plan(const Invert& op, const Form& form);

} // namespace glproc
