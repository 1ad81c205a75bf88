// Black and white by a threshold.
#pragma once

#include "glproc/kinds/point_luma.hpp"
#include "glproc/ops/histogram/split.hpp"

namespace glproc {

/// 1 where the luma of a pixel is above the threshold, else 0, in every colour; alpha is kept. With integers
/// the comparison is exact.
struct Threshold {
    double at = 0.5;
    /// In place of `at`: the histogram of luma decides. It has a bin for each code of integers, and 65536
    /// from 0 to 1 of floats, where other values do not count.
    std::optional<SplitRule> rule = std::nullopt;
    LumaWeights luma = LumaWeights::rec709;
    PointMethod method = PointMethod::automatic;

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
};

Plan plan(const Threshold& op, const Form& form);

} // namespace glproc
