// Histogram: how many pixels have which brightness.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/kinds/samples.hpp"
#include "glproc/op/tiles.hpp"

#include <cstdint>
#include <vector>

namespace glproc {

/// How a histogram is counted. All give the same counts.
enum class HistogramVariant { automatic, cpu, serial, global_atomic, shared_sum, shared_reduce, fused };

template <>
inline constexpr std::array<EnumRow<HistogramVariant>, 7> enum_rows<HistogramVariant>{
    EnumRow{HistogramVariant::automatic, "auto", "the fastest measured for this renderer"},
    EnumRow{HistogramVariant::cpu, "cpu", "a plain loop on the CPU: the reference, and fast on software "
                                          "renderers"},
    EnumRow{HistogramVariant::serial, "serial",
            "one GPU invocation loops over all pixels: shows what a GPU does without parallelism"},
    EnumRow{HistogramVariant::global_atomic, "global_atomic",
            "one atomic addition in global memory per pixel: many bins with evenly spread counts"},
    EnumRow{HistogramVariant::shared_sum, "shared_sum",
            "work groups count in shared memory, then one of them adds the counts: small images"},
    EnumRow{HistogramVariant::shared_reduce, "shared_reduce",
            "work groups count in shared memory, then the counts are added in pairs: any GPU"},
    EnumRow{HistogramVariant::fused, "fused",
            "as many work groups as the GPU holds, each counting many tiles: large images, flat areas"},
};

/// The counts of one channel. `counts`, `outside` and `nan` add up to the number of pixels that are counted: all of them, or for
/// colours those that can be seen.
struct ChannelCounts {
    HistogramChannel channel = HistogramChannel::luma;
    std::vector<std::uint64_t> counts; ///< one for each bin
    std::uint64_t outside = 0;         ///< values beyond the range; float images only
    std::uint64_t nan = 0;             ///< float images only
};

/// Counts the pixels whose value lies in each of `bins` equal parts of the range, for each channel in one
/// pass.
///
/// Integer images: bin = min(bins - 1, floor(v * bins)) with v = code / largest code (luma: the weighted sum
/// of the codes). This is computed in integers, so no rounding moves a pixel to a neighbouring bin, on any
/// device. The range is 0 to 1.
///
/// Float images: bin = floor((v - low) * scale) with scale = bins / (high - low), in single precision,
/// in the same order of operations on every device. v = high belongs to the last bin.
struct Histogram {
    int bins = 256;                                                    ///< 1 to 65536
    std::vector<HistogramChannel> channels = {HistogramChannel::luma}; ///< each at most once
    LumaWeights luma = LumaWeights::rec709;
    Interval range = {0, 1}; ///< of float images
    bool hidden = false;     ///< whether the colours of pixels of alpha 0, which nobody sees, are counted
    HistogramVariant variant = HistogramVariant::automatic;

    /// One entry for each of `channels`, in their order. Throws Error(usage) for values out of range, alpha
    /// of an image without it, and a range other than 0 to 1 for an integer image.
    std::vector<ChannelCounts> operator()(Context& gpu, const GpuImage& image) const;

    /// The same for a picture of any size (see tiles.hpp).
    std::vector<ChannelCounts> operator()(Context& gpu, const RowSource& from,
                                          const TileProgress& progress = {}) const;
};

} // namespace glproc
