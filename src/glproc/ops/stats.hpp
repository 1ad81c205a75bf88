// Statistics of the values of a picture.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/op/sweep.hpp"

#include <cstdint>
#include <vector>

namespace glproc {

/// How statistics are measured. Both give the same figures.
enum class StatsMethod { automatic, gpu, cpu };

template <>
inline constexpr std::array<EnumRow<StatsMethod>, 3> enum_rows<StatsMethod>{
    EnumRow{StatsMethod::automatic, "auto", "same as gpu"},
    EnumRow{StatsMethod::gpu, "gpu", "from an exact histogram of all pixel values; float images are "
                                     "measured on the CPU"},
    EnumRow{StatsMethod::cpu, "cpu", "the processor, with the bits of the kernels"},
};

/// The figures of one channel, in code units (0 to 255, 0 to 65535, or floats as they are). Colours of pixels of alpha 0 are left
/// out, unless they are asked for. NaN is counted and left out of everything else; if nothing is left, all figures except the
/// counts are NaN.
struct ChannelStats {
    std::uint64_t count = 0; ///< values that are numbers
    std::uint64_t nan = 0;
    double min = 0;
    double max = 0;
    double mean = 0;
    double stddev = 0; ///< over N, not N - 1
    double median = 0; ///< the lower one of two
    /// For each requested percentage the value of rank (N - 1) p / 100, rounded down: numpy.percentile(...,
    /// method="lower").
    std::vector<double> percentiles = {};
    double entropy = 0; ///< bits per value, of the codes; NaN for floats, which have none

    bool operator==(const ChannelStats&) const = default;
};

/// Statistics of every channel of a picture. Exact for integers, up to one rounding each.
struct Stats {
    std::vector<double> percentiles = {}; ///< 0 to 100
    bool hidden = false;                  ///< whether the colours of pixels of alpha 0, which nobody sees, count
    StatsMethod method = StatsMethod::automatic;

    /// One entry for each channel. Throws Error(usage) for percentiles out of range.
    std::vector<ChannelStats> operator()(Context& gpu, const GpuImage& image) const;

    /// The same for a picture of any size, which is read twice if it holds floats.
    std::vector<ChannelStats> operator()(Context& gpu, const RowSource& picture, const TileProgress& progress = {}) const;
};

/// One sweep down, of floats two.
SweepPlan plan(const Stats& op, const Form& form);

} // namespace glproc
