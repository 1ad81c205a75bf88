// The variants of the histogram, behind Histogram::operator(), which has checked their arguments.
#pragma once

#include "glproc/ops/histogram.hpp"

namespace glproc {

/// The range of a float image as the counting sees it, the same for the CPU and for kernels.
struct FloatBins {
    float low;
    float high;
    float scale; ///< bins / (high - low)
};

/// Throws Error(usage) where the range is empty, beyond ±1e30, or too narrow for single precision.
FloatBins float_bins(const Interval& range, int bins);

/// Variant `cpu`.
std::vector<ChannelCounts> count_on_cpu(const Image& image, const Histogram& histogram);

/// Variant `shared_reduce`. Throws Error(operation) for 2^32 pixels or more, which kernels cannot count.
std::vector<ChannelCounts> count_on_gpu(Context& gpu, const GpuImage& image, const Histogram& histogram);

/// How the first pass of shared_reduce cuts its work.
struct ChunkPlan {
    int shared_slots = 0;          ///< size of the shared array
    int slices = 0;                ///< groups that see the same texels, each counting a part of the slots
    int slice_slots = 0;           ///< counts of a group
    std::int64_t chunks = 0;       ///< groups that see different texels
    std::int64_t chunk_texels = 0; ///< texels of a group, a multiple of its 256 invocations
};

/// The plan for counting `slots` counters over `texels`. All chunks together stay within a storage block and
/// 64 MiB.
ChunkPlan plan_chunks(const Limits& limits, std::int64_t slots, std::int64_t texels);

} // namespace glproc
