// Several images of one size become one: averages, medians, extremes.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/op/field.hpp"
#include "glproc/op/plan.hpp"
#include "glproc/op/sweep.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace glproc {

/// How the values at one place become one.
enum class StackMeasure { mean, median, min, max, sum, stddev, percentile, clip };

template <>
inline constexpr std::array<EnumRow<StackMeasure>, 8> enum_rows<StackMeasure>{
    EnumRow{StackMeasure::mean, "mean", "the average: less noise"},
    EnumRow{StackMeasure::median, "median", "the value in the middle: what passes through a few images is gone"},
    EnumRow{StackMeasure::min, "min", "the darkest"},
    EnumRow{StackMeasure::max, "max", "the brightest: trails of stars and lights"},
    EnumRow{StackMeasure::sum, "sum", "all added, as floats"},
    EnumRow{StackMeasure::stddev, "stddev", "the standard deviation, as floats: where the images differ"},
    EnumRow{StackMeasure::percentile, "percentile:P", "the value that P percent of the values do not exceed"},
    EnumRow{StackMeasure::clip, "clip:K",
            "the average of the values within K standard deviations of it, found in at most 5 rounds"},
};

/// Both give the same bits. Weights, deviations, clipped means, and of floats also means, sums and values between two
/// ranks have no kernel: drivers round quotients and roots of doubles as they like. Nor have images with alpha.
enum class StackMethod { automatic, gpu, cpu };

template <>
inline constexpr std::array<EnumRow<StackMethod>, 3> enum_rows<StackMethod>{
    EnumRow{StackMethod::automatic, "auto", "gpu, or cpu where that is faster, or has the same bits alone"},
    EnumRow{StackMethod::gpu, "gpu",
            "sums and ranks of all images at once; not for alpha, weights, stddev, clip, and of floats only min, max and whole ranks"},
    EnumRow{StackMethod::cpu, "cpu", "rows of all images, on all cores"},
};

/// A measure, and its number: P of percentile:P, K of clip:K.
struct StackBy {
    StackMeasure measure = StackMeasure::mean;
    double amount = 0;
    bool operator==(const StackBy&) const = default;
};

template <>
struct FieldText<StackBy> {
    static StackBy parse(const FieldContext& context, std::string_view text);
    static std::string print(const StackBy& by);
    static std::string range(const Limit&) { return "mean|median|min|max|sum|stddev|percentile:P|clip:K"; }
    static std::vector<Choice> choices();
};

/// Combines the values of several images place by place, each channel for itself, on the values as they are stored. The result is
/// what NumPy makes of the images as one array, along its first axis. Sums of integers are exact, and results are rounded once,
/// half to even. The result has the form of the images. Sums and deviations are floats, with 1 for white.
///
/// Of images with alpha only those count at a place that show something there, and alpha weighs the colours of a mean. Alpha
/// itself is combined like any channel, but sums and deviations get its mean.
///
/// A percentile lies between the two nearest ranks, as `numpy.percentile` has it. NaN at a place gives NaN there.
///
/// Clipping takes the mean and the standard deviation of the values at a place. It leaves out those more than K deviations away,
/// and begins again with the others, 5 times at most. This is `astropy.stats.sigma_clip` with the mean as centre.
struct Stack {
    StackBy by = {};
    std::vector<double> weights = {}; ///< of means and sums, one for each image; all count the same without them
    std::vector<RowSource> more = {}; ///< the images after the first one, as large and with as many channels; no deeper
    StackMethod method = StackMethod::automatic;
};

/// One sweep over bands of all images at once, so that memory does not depend on how many there are. Throws Error(usage) for
/// images that differ in size, depth or channels, and for weights that do not fit them.
SweepPlan sweeps(const Stack& op, const Form& form);
Plan plan(const Stack& op, const Form& form);

} // namespace glproc
