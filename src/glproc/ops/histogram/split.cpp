#include "glproc/ops/histogram/split.hpp"

#include "glproc/ops/histogram/split_rules.hpp"

#include <algorithm>
#include <array>

namespace glproc {

namespace {

std::int64_t mean_split(BinCounts counts) {
    const PartSums all = sums_of(counts);
    return all.pixels == 0 ? 0 : static_cast<std::int64_t>(all.bins / all.pixels);
}

/// Draws a line from the peak's top to the foot on its longer side, which is one bin beyond the last that
/// counts. Takes the bin before the one that lies farthest below that line.
std::int64_t triangle_split(BinCounts counts) {
    const auto is_used = [](std::uint64_t count) { return count > 0; };
    const auto last_bin = static_cast<std::int64_t>(counts.size()) - 1;
    const auto first_used = std::find_if(counts.begin(), counts.end(), is_used) - counts.begin();
    const auto last_used =
        last_bin - (std::find_if(counts.rbegin(), counts.rend(), is_used) - counts.rbegin());
    if (first_used > last_bin) {
        return 0;
    }
    const std::int64_t peak = std::max_element(counts.begin(), counts.end()) - counts.begin();
    const std::int64_t left = std::max<std::int64_t>(first_used - 1, 0);
    const std::int64_t right = std::min(last_used + 1, last_bin);
    const bool is_right = peak - left < right - peak;
    const std::int64_t foot = is_right ? right : left;
    const std::int64_t step = is_right ? -1 : 1;
    const auto height = [&](std::int64_t bin) {
        return static_cast<double>(counts[static_cast<std::size_t>(bin)]);
    };
    const double width = static_cast<double>(is_right ? right - peak : peak - left);
    std::int64_t best = foot;
    double most = foot == 0 || foot == last_bin ? 0 : -1; // as OpenCV, if no bin lies below the line
    for (std::int64_t away = 1; away <= static_cast<std::int64_t>(width); ++away) {
        const std::int64_t bin = foot + step * away;
        const double below = height(peak) * static_cast<double>(away) - width * height(bin);
        if (below > most) {
            most = below;
            best = bin;
        }
    }
    return best - step;
}

using Split = std::int64_t (*)(BinCounts);

/// In the order of SplitRule.
constexpr std::array<Split, enum_rows<SplitRule>.size()> splits{
    imagej_split, huang_split,    intermodes_split, isodata_split, li_split,   maxentropy_split,
    mean_split,   minerror_split, minimum_split,    moments_split, otsu_split, percentile_split,
    renyi_split,  shanbhag_split, triangle_split,   yen_split};

} // namespace

/// The first of the bins after which the variance between the parts is largest.
std::int64_t otsu_split(BinCounts counts) {
    const PartSums all = sums_of(counts);
    PartSums lower;
    double most = 0;
    std::size_t best = 0;
    for (std::size_t bin = 0; bin < counts.size(); ++bin) {
        lower.add(bin, counts[bin]);
        const double upper = all.pixels - lower.pixels;
        if (counts[bin] == 0 || upper == 0) {
            continue; // as the bin before it
        }
        const double apart = lower.bins / lower.pixels - (all.bins - lower.bins) / upper;
        const double variance = (lower.pixels / all.pixels) * (upper / all.pixels) * apart * apart;
        if (variance > most) {
            most = variance;
            best = bin;
        }
    }
    return static_cast<std::int64_t>(best);
}

std::int64_t split_of(std::span<const std::uint64_t> counts, SplitRule rule) {
    const bool takes_any = rule == SplitRule::mean || rule == SplitRule::otsu || rule == SplitRule::triangle;
    if (const UsedBins used = used_bins(counts); !takes_any && used.number < 3) {
        return static_cast<std::int64_t>(used.first);
    }
    return splits[static_cast<std::size_t>(rule)](counts);
}

} // namespace glproc
