// A tone curve.
#pragma once

#include "glproc/kinds/point.hpp"
#include "glproc/ops/curve/points.hpp"

namespace glproc {

/// Maps every colour by a monotone cubic curve (see pchip()), flat beyond its ends; alpha is kept.
struct Curve {
    std::vector<CurvePoint> points = {straight_curve.begin(), straight_curve.end()};
    PointMethod method = PointMethod::automatic;

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
};

Plan plan(const Curve& op, const Form& form);

} // namespace glproc
