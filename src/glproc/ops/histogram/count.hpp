// The variants of the histogram. Histogram::operator() has checked their arguments.
#pragma once

#include "glproc/ops/histogram.hpp"

#include <bit>

namespace glproc {

/// The range of a float image as the counting sees it, the same for the CPU and for kernels.
struct FloatBins {
    float low;
    float high;
    float scale; ///< bins / (high - low)
};

/// The scale that whole_bin() of glsl/lib/whole.glsl needs for a quotient of bins and full.
inline float scale_below(double quotient) {
    return static_cast<float>(quotient * (1 - 0x1p-21));
}

/// Throws Error(usage) if the range is empty, beyond ±1e30, or too narrow for single precision.
FloatBins float_bins(const Interval& range, int bins);

/// Variant `cpu`.
std::vector<ChannelCounts> count_on_cpu(const Image& image, const Histogram& histogram);

/// Throws Error(usage) if the image cannot be counted so.
void check_histogram(const Histogram& histogram, const Form& image);

/// Which channels kernels count: COUNTED of glsl/lib/bins.glsl. Channels that are the same in an image (all
/// but alpha, of a grey one) are counted once.
class CountedSet {
  public:
    CountedSet(const Form& image, const std::vector<HistogramChannel>& channels);

    unsigned mask() const { return mask_; }
    std::size_t size() const { return static_cast<std::size_t>(std::popcount(mask_)); }
    /// The index of the channel among those counted.
    std::size_t place(HistogramChannel channel) const {
        return static_cast<std::size_t>(std::popcount(mask_ & (bit(channel) - 1)));
    }

  private:
    unsigned bit(HistogramChannel channel) const;

    bool grey_;
    unsigned mask_ = 0;
};

/// Bins of a channel as kernels count them: float images have two more, for values outside the range and for
/// NaN.
inline std::int64_t stored_bins(const Form& image, int bins) {
    return bins + (image.depth == Depth::f32 ? 2 : 0);
}

/// Invocations of a group, which stand for texels side by side.
struct GroupShape {
    int width = 256;
    int height = 1;

    std::int64_t invocations() const { return std::int64_t{width} * height; }
};

/// The fastest variant.
HistogramVariant tuned_histogram(const DeviceInfo& device);

/// Settings that suit one device better than another; the counts are the same.
struct HistogramTuning {
    /// Of the first pass of shared_sum and shared_reduce: 256 x 1, or 16 x 16, which is not measured yet.
    GroupShape group;
    /// Of fused: a group for each of 132 multiprocessors was best in first tries (NVIDIA H200).
    std::int64_t resident_groups = 132;
};

/// Counts by a variant of kernels and leaves the counts on the GPU, as 32-bit words. The count of `bin` for
/// `channel` is at bin x size() + place(channel) of the CountedSet, for stored_bins() bins. The buffer may be
/// longer. `cpu` stands for the tuned variant of the kernels. So does `automatic`, unless the device is known
/// to count integers slower than the CPU does. The arguments of `histogram` must have been checked. Throws
/// Error(operation) for 2^32 pixels or more, which kernels cannot count.
Buffer count_on_gpu_buffer(Context& gpu, const GpuImage& image, const Histogram& histogram);
/// The same by kernels in any case.
Buffer count_on_gpu_buffer(Context& gpu, const GpuImage& image, const Histogram& histogram,
                           const HistogramTuning& tuning);

/// Reads back the counts of count_on_gpu_buffer().
std::vector<ChannelCounts> read_counts(const Buffer& slots, const Form& image, const Histogram& histogram);
/// The reverse: counts as count_on_gpu_buffer() would have left them on the GPU, the bins only. Counts of
/// pictures with 2^32 pixels or more are shifted right by plot_shift().
Buffer upload_counts(Context& gpu, const Form& image, const Histogram& histogram,
                     const std::vector<ChannelCounts>& counts);
/// How far counts are shifted right for kernels, whose integers have 32 bits.
int plot_shift(const Form& image);
/// The same by `+=` instead of atomic additions, which loses counts: `bench` shows how many.
Buffer count_racily(Context& gpu, const GpuImage& image, const Histogram& histogram);

/// Slots up to this number take a small part of any device's shared memory.
inline constexpr std::int64_t small_slots = 1024;

/// How a set of counts is cut if shared memory does not hold it.
struct SlicePlan {
    int shared_slots = 0; ///< size of the shared array
    int slices = 0;       ///< groups that see the same texels, each counting a part of the slots
    int slice_slots = 0;  ///< counts of a group
};

/// How the first pass of shared_sum and shared_reduce cuts its work. Columns: see glsl/lib/walk.glsl.
struct ChunkPlan : SlicePlan {
    std::int64_t chunks = 0;        ///< groups that see different texels
    std::int64_t chunk_columns = 0; ///< columns of a group, a multiple of its width
};

/// The plan for counting `slots` counters over `columns`. All chunks together stay within a storage block and
/// 64 MiB.
ChunkPlan plan_chunks(const Limits& limits, std::int64_t slots, std::int64_t columns,
                      const GroupShape& group = {});

/// The groups of fused: every device allows 1024 invocations.
inline constexpr GroupShape fused_group{1024, 1};

/// How fused cuts its work.
struct FusedPlan : SlicePlan {
    std::int64_t groups = 0; ///< that see different texels
    std::int64_t steps = 0;  ///< texels of an invocation
};

/// The plan for counting `slots` counters over `texels` with about `resident_groups` groups.
FusedPlan plan_fused(const Limits& limits, std::int64_t slots, std::int64_t texels,
                     std::int64_t resident_groups);

} // namespace glproc
