// Splits a histogram into two parts.
#pragma once

#include "glproc/op/field.hpp"

#include <cstdint>
#include <span>

namespace glproc {

/// How a histogram is split in two.
enum class SplitRule { otsu, triangle, mean };

template <>
inline constexpr std::array<EnumRow<SplitRule>, 3> enum_rows<SplitRule>{
    EnumRow{SplitRule::otsu, "otsu", "the split that best separates two groups of pixels"},
    EnumRow{SplitRule::triangle, "triangle", "the foot of a single peak: a few pixels on a background"},
    EnumRow{SplitRule::mean, "mean", "the mean luma"},
};

/// The last bin of the lower part.
///
/// otsu: N. Otsu, A threshold selection method from gray-level histograms, IEEE Trans. SMC 9, 1979. triangle:
/// G. Zack, W. Rogers, S. Latt, Automatic measurement of sister chromatid exchange frequency, J. Histochem.
/// Cytochem. 25, 1977, with the ends as OpenCV's threshold() takes them.
std::int64_t split_of(std::span<const std::uint64_t> counts, SplitRule rule);

} // namespace glproc
