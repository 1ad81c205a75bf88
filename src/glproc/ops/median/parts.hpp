// Inside the median: its methods.
#pragma once

#include "glproc/ops/median.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace glproc {

inline constexpr Limit median_radius_limit{0, 127}; // counts of a histogram have 16 bits
inline constexpr Limit percentile_limit{0, 100};
inline constexpr Limit outlier_limit{0, 1e30};

/// The place of the percentile among `count` sorted values, counted from 0; as SciPy has it.
std::uint32_t rank_among(double percentile, int count);

/// How many pixels the box has.
int box_pixels(const Median& median);

/// Whether there is a network for it.
bool has_network(const Median& median);

/// Whether they can take the image: their shared memory has a fixed size.
bool can_run_bits(const Limits& limits, const Form& form, const Median& median);
bool can_run_thresholds(const Limits& limits, const Form& form, const Median& median);

/// Whether the loops of `histogram` end as they should, which some renderers prevent: see workarounds.cpp.
bool can_run_histogram(Context& gpu, const Form& form, const Median& median);

/// The methods, each for images that it can process, with a radius above 0.
GpuImage run_network(Context& gpu, const GpuImage& src, const Median& median);
GpuImage run_bits(Context& gpu, const GpuImage& src, const Median& median);
GpuImage run_thresholds(Context& gpu, const GpuImage& src, const Median& median);
GpuImage run_histogram(Context& gpu, const GpuImage& src, const Median& median);

/// For integers without alpha, and small boxes.
bool can_run_sorted(const Form& form, const Median& median);
Image run_sorted(const Image& image, const Median& median);

Image median_on_cpu(const Image& image, const Median& median);

/// The image, whose outliers become these medians.
GpuImage without_outliers(Context& gpu, const GpuImage& image, const GpuImage& medians, const Median& median);
Image without_outliers(const Image& image, Image medians, const Median& median);

} // namespace glproc
