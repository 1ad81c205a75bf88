// Removes the colours of a picture.
#pragma once

#include "glproc/kinds/point_luma.hpp"

namespace glproc {

/// The luma of every pixel, as a picture of one channel; alpha is kept. Integers are rounded once, half to
/// even.
struct Gray {
    LumaWeights luma = LumaWeights::rec709;
    PointMethod method = PointMethod::automatic;

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
};

Plan plan(const Gray& op, const Form& form);

} // namespace glproc
