// Measures of the square around each pixel.
#pragma once

#include "glproc/kinds/filter.hpp"
#include "glproc/kinds/point.hpp"
#include "glproc/op/plan.hpp"

namespace glproc {

enum class LocalMeasure { mean, stddev, variance, min, max, range, entropy };

template <>
inline constexpr std::array<EnumRow<LocalMeasure>, 7> enum_rows<LocalMeasure>{
    EnumRow{LocalMeasure::mean, "mean", "the mean"},
    EnumRow{LocalMeasure::stddev, "stddev", "the standard deviation, over n"},
    EnumRow{LocalMeasure::variance, "variance", "its square, of values from 0 to 1"},
    EnumRow{LocalMeasure::min, "min", "the smallest value"},
    EnumRow{LocalMeasure::max, "max", "the largest value"},
    EnumRow{LocalMeasure::range, "range", "the largest minus the smallest"},
    EnumRow{LocalMeasure::entropy, "entropy",
            "the entropy of the values, counted in 256 levels: white is 8 bits, the most there can be"},
};

/// A measure of the (2 radius + 1)² values around each pixel, of each colour by itself; alpha is kept, and NaN counts as missing.
///
/// Of integers the standard deviation, variance, minimum, maximum and range are the exact value, rounded once, from sums of whole
/// numbers. `mean` is a Box, and `min`, `max` and `range` are a Morphology, with the same bits. Pixels of alpha 0 do not count. The entropy counts the levels
/// ⌊256 v⌋ of values from 0 to 1, like Histogram, and is within 1e-6 bits. Floats are within 1e-6 of full scale.
struct Local {
    LocalMeasure measure = LocalMeasure::mean;
    int radius = 1; ///< pixels, 1 to 80
    Border border = {};
    PointMethod method = PointMethod::automatic;

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
};

Plan plan(const Local& op, const Form& form);

} // namespace glproc
