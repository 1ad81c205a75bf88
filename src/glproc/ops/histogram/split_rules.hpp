// The rules of split_of(), for histograms with three used bins or more.
#pragma once

#include "glproc/ops/histogram/bin_groups.hpp"

#include <cstdint>

namespace glproc {

/// The pixels of one part.
struct PartSums {
    double pixels = 0;
    double bins = 0; ///< the sum of the bin numbers of all pixels

    void add(std::size_t bin, std::uint64_t count) {
        pixels += static_cast<double>(count);
        bins += static_cast<double>(bin) * static_cast<double>(count);
    }
    double mean() const { return bins / pixels; }
    /// The sums are whole, and so is their difference.
    PartSums without(const PartSums& part) const { return {pixels - part.pixels, bins - part.bins}; }
};

inline PartSums sums_of(BinCounts counts) {
    PartSums all;
    for (std::size_t bin = 0; bin < counts.size(); ++bin) {
        all.add(bin, counts[bin]);
    }
    return all;
}

/// ImageJ's "Default": isodata_split() without the first and last bin. A peak more than twice as high as the
/// next one counts as 1.5 times as high. Where fewer than two bins are left, it is the middle of all. Source:
/// W. Rasband, ImageJ 1.53t, public domain.
std::int64_t imagej_split(BinCounts counts);

/// The bin with the least Shannon entropy of the memberships 1 / (1 + |bin - mean| / C) of all pixels. C is
/// the range, and mean the mean of their part. L.-K. Huang, M.-J. Wang, Image thresholding by minimizing the
/// measures of fuzziness, Pattern Recognition 28(1), 1995.
std::int64_t huang_split(BinCounts counts);

/// The middle of the two peaks that are left of the histogram, smoothed by the mean of three bins until there
/// are no more. J. Prewitt, M. Mendelsohn, The analysis of cell images, Ann. N.Y. Acad. Sci. 128, 1966.
std::int64_t intermodes_split(BinCounts counts);

/// The first bin t that is the whole part of (m0 + m1) / 2, where m0 is the mean up to t and m1 the mean
/// above. T. Ridler, S. Calvard, Picture thresholding using an iterative selection method, IEEE Trans. SMC 8,
/// 1978.
std::int64_t isodata_split(BinCounts counts);

/// The fixed point of t = (m1 - m0) / (ln m1 - ln m0), rounded, that is found from the mean. C. Li, P. Tam,
/// An iterative algorithm for minimum cross entropy thresholding, Pattern Recognition Letters 19, 1998.
std::int64_t li_split(BinCounts counts);

/// The bin with the largest sum of the entropies of both parts. J. Kapur, P. Sahoo, A. Wong, A new method for
/// gray-level picture thresholding using the entropy of the histogram, CVGIP 29, 1985.
std::int64_t maxentropy_split(BinCounts counts);

/// The bin with the least J = 1 + 2 (P0 ln s0 + P1 ln s1) - 2 (P0 ln P0 + P1 ln P1). P is the share and s the
/// standard deviation of a part. Parts of one value have none; where all splits have such a part, it is
/// Otsu's. J. Kittler, J. Illingworth, Minimum error thresholding, Pattern Recognition 19(1), 1986.
std::int64_t minerror_split(BinCounts counts);

/// The first bin between the two peaks of intermodes_split() that is lower than the one before it, and not
/// higher than the one after it. Here the smoothing includes the empty bins at both ends. Its source is the
/// same.
std::int64_t minimum_split(BinCounts counts);

/// The bin that the share p0 of pixels reaches, where two values with the shares p0 and 1 - p0 have the first
/// three moments of the histogram. W. Tsai, Moment-preserving thresholding: a new approach, CVGIP 29, 1985.
std::int64_t moments_split(BinCounts counts);

/// The bin up to which nearest to half of the pixels lie. W. Doyle, Operations useful for
/// similarity-invariant pattern recognition, J. ACM 9, 1962.
std::int64_t percentile_split(BinCounts counts);

/// The weighted mean of the splits with the largest Renyi entropies of order 1/2, 1 and 2. Splits are near to
/// each other within 5 of 256 bins. P. Sahoo, C. Wilkins, J. Yeager, Threshold selection using Renyi's
/// entropy, Pattern Recognition 30(1), 1997.
std::int64_t renyi_split(BinCounts counts);

/// The bin with the least difference between the information of both parts. A. Shanbhag, Utilization of
/// information measure as a means of image thresholding, CVGIP: Graphical Models 56(5), 1994.
std::int64_t shanbhag_split(BinCounts counts);

/// The bin with the largest entropic correlation -ln(sum0 p^2 sum1 p^2) + 2 ln(P0 P1). J. Yen, F. Chang, S.
/// Chang, A new criterion for automatic multilevel thresholding, IEEE Trans. Image Processing 4(3), 1995.
std::int64_t yen_split(BinCounts counts);

/// split_of() by Otsu's rule.
std::int64_t otsu_split(BinCounts counts);

} // namespace glproc
