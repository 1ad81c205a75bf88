// The guided filter of 8 bits by sums of whole numbers.
#pragma once

#include "glproc/op/tiles.hpp"
#include "glproc/ops/guided.hpp"

namespace glproc {

/// How the sums are made. The bits are the same.
enum class GuidedSums {
    shuffled, ///< in strips, by subgroups of 32
    shared,   ///< in strips, in shared memory
    walked,   ///< along lines, each invocation for itself: where shared memory is slow
};

/// Whether the filter has sums of whole numbers: without a guide, for windows as large as words hold.
bool can_guide_by_sums(const Guided& op, const Form& form);

/// The numbers that the kernels are given.
struct SumsNumbers {
    int pixels;     ///< of a window
    int shift;      ///< bits that columns of lines lose, so that a window of them has 32 bits
    float eps;      ///< in squared code units, times the square of `pixels`
    float per_unit; ///< 1 / the units of a sum of heights that are a unit of their mean
    float scale;    ///< from the units of a sum to codes
};

SumsNumbers sums_numbers(const Guided& op);

/// The way for a device.
GuidedSums guided_sums(Context& gpu);

/// Applies the filter; can_guide_by_sums() must be true.
GpuImage guide_by_sums(Context& gpu, const Guided& op, const GpuImage& src, GuidedSums how);

TileNeeds needs_of_sums(Context& gpu, const Guided& op, const Form& form);

} // namespace glproc
