// Median and other percentiles of the pixels under a box.
#pragma once

#include "glproc/kinds/rank.hpp"
#include "glproc/op/level.hpp"

#include <optional>

namespace glproc {

/// How the values under the box are put in order. All give the same bits.
enum class MedianMethod { automatic, cpu, network, bits, thresholds, histogram };

template <>
inline constexpr std::array<EnumRow<MedianMethod>, 6> enum_rows<MedianMethod>{
    EnumRow{MedianMethod::automatic, "auto", "the fastest measured for this renderer and radius"},
    EnumRow{MedianMethod::cpu, "cpu", "running histograms on the CPU: any radius on software renderers"},
    EnumRow{MedianMethod::network, "network",
            "minima and maxima shared between neighbours: medians of radius 1 and 2"},
    EnumRow{MedianMethod::bits, "bits", "32 values at a time, bit by bit: 8 bits and a radius up to 7"},
    EnumRow{MedianMethod::thresholds, "thresholds",
            "32 values at a time, threshold by threshold: 8 bits and a radius up to 15"},
    EnumRow{MedianMethod::histogram, "histogram",
            "a running histogram for each column: any radius and percentile on a GPU"},
};

/// Which pixels are outliers.
enum class Outliers { bright, dark, both };

template <>
inline constexpr std::array<EnumRow<Outliers>, 3> enum_rows<Outliers>{
    EnumRow{Outliers::bright, "bright", "those brighter than the median, such as hot pixels"},
    EnumRow{Outliers::dark, "dark", "those darker than it, such as dust"},
    EnumRow{Outliers::both, "both", "both"},
};

/// The value below which `percentile` percent of the values of (2 radius.x + 1) × (2 radius.y + 1) pixels
/// lie, for each channel by itself. Equals scipy.ndimage.median_filter, or percentile_filter, with the same
/// border. NaN counts as missing: the rank is taken among the other values, and the result is NaN only if
/// there are none. Infinities are values like others.
///
/// With `outliers` only values that differ from it by more than the threshold are replaced by it. Others, and
/// NaN, keep their bits. The difference of floats is rounded to a float. Colours of fully transparent pixels
/// are always replaced.
struct Median {
    PerAxis<int> radius = 0; ///< pixels, 0 to 127
    double percentile = 50;  ///< 0, the minimum, to 100, the maximum
    Border border = {};
    MedianMethod method = MedianMethod::automatic;
    RankAlpha alpha = RankAlpha::straight;
    std::optional<Outliers> outliers = std::nullopt; ///< replace these alone; needs the threshold
    std::optional<Level> threshold = std::nullopt;   ///< 0 to 1; more is possible for floats

    /// The filtered image, of the same size and format. Throws Error(usage) for values out of range, and
    /// Error(operation) if the method cannot run.
    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }

    /// The same, bit for bit, for a picture of any size (see tiles.hpp). `to` receives all rows; the caller
    /// calls finish().
    void operator()(Context& gpu, const RowSource& from, RowWriter& to,
                    const TileProgress& progress = {}) const {
        run(*this, gpu, from, to, progress);
    }
};

Plan plan(const Median& op, const Form& form);

} // namespace glproc
