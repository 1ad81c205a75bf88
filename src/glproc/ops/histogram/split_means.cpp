// Rules that follow means, shares and moments.
#include "glproc/math/logarithm.hpp"
#include "glproc/ops/histogram/split_rules.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace glproc {

namespace {

std::int64_t rounded(double value) {
    return static_cast<std::int64_t>(std::floor(value + 0.5));
}

/// Shannon's entropy of the membership 1 / (1 + away), where `away` is the distance as a share of the range.
double fuzziness(double away) {
    return away == 0 ? 0 : natural_log(1 + away) - away / (1 + away) * natural_log(away);
}

/// Without the pixels of the first and the last bin.
std::vector<std::uint64_t> inner_sums(BinCounts counts, const BinGroups& groups) {
    std::vector<std::uint64_t> inner(counts.begin(), counts.end());
    inner.front() = 0;
    inner.back() = 0;
    return groups.sums(inner);
}

/// Makes the peak lower, if it is more than twice as high as the next one.
void clip_peak(BinCounts all, std::vector<std::uint64_t>& inner) {
    const auto peak = std::ranges::max_element(all) - all.begin();
    std::uint64_t next = 0;
    for (std::size_t bin = 0; bin < all.size(); ++bin) {
        if (static_cast<std::ptrdiff_t>(bin) != peak) {
            next = std::max(next, all[bin]);
        }
    }
    if (next > 0 && all[static_cast<std::size_t>(peak)] > 2 * next) {
        std::uint64_t& height = inner[static_cast<std::size_t>(peak)];
        height = std::min(height, next * 3 / 2);
    }
}

} // namespace

std::int64_t isodata_split(BinCounts counts) {
    const UsedBins used = used_bins(counts);
    const PartSums all = sums_of(counts);
    PartSums lower;
    std::size_t bin = used.first;
    for (; bin < used.last; ++bin) {
        lower.add(bin, counts[bin]);
        const double middle = (lower.mean() + all.without(lower).mean()) / 2;
        if (std::floor(middle) == static_cast<double>(bin)) {
            break; // the means rise with each bin, so there is one
        }
    }
    return static_cast<std::int64_t>(bin);
}

std::int64_t imagej_split(BinCounts counts) {
    const BinGroups groups = groups_of(counts, 256);
    const std::vector<std::uint64_t> sums = groups.sums(counts);
    std::vector<std::uint64_t> inner = inner_sums(counts, groups);
    clip_peak(sums, inner);
    const UsedBins used = used_bins(inner);
    if (used.number < 2) {
        return static_cast<std::int64_t>(counts.size() / 2);
    }
    const PartSums all = sums_of(inner);
    PartSums lower;
    double middle = 0;
    for (std::size_t bin = used.first; bin < used.last; ++bin) {
        lower.add(bin, inner[bin]);
        middle = (lower.mean() + all.without(lower).mean()) / 2;
        if (static_cast<double>(bin + 2) > middle || bin + 2 >= used.last) {
            break;
        }
    }
    return groups.last_of(rounded(middle));
}

std::int64_t li_split(BinCounts counts) {
    const UsedBins used = used_bins(counts);
    std::vector<PartSums> up_to(counts.size());
    PartSums all;
    for (std::size_t bin = 0; bin < counts.size(); ++bin) {
        all.add(bin, counts[bin]);
        up_to[bin] = all;
    }
    const auto split_at = [&](double middle) {
        return std::clamp(rounded(middle), static_cast<std::int64_t>(used.first),
                          static_cast<std::int64_t>(used.last) - 1);
    };
    std::int64_t split = split_at(all.mean());
    for (std::size_t turn = 0; turn < counts.size(); ++turn) { // the splits rise or fall, so this suffices
        const PartSums lower = up_to[static_cast<std::size_t>(split)];
        const double dark = lower.mean();
        const double bright = all.without(lower).mean();
        const double middle =
            dark == 0 ? 0 : (bright - dark) / (natural_log(bright) - natural_log(dark)); // 0 is its limit
        const std::int64_t next = split_at(middle);
        if (next == split) {
            break;
        }
        split = next;
    }
    return split;
}

std::int64_t moments_split(BinCounts counts) {
    const UsedBins used = used_bins(counts);
    const PartSums all = sums_of(counts);
    const double mean = all.mean();
    double second = 0; // central moments
    double third = 0;
    for (std::size_t bin = used.first; bin <= used.last; ++bin) {
        const double away = static_cast<double>(bin) - mean;
        const double square = away * away * static_cast<double>(counts[bin]);
        second += square;
        third += square * away;
    }
    second /= all.pixels;
    third /= all.pixels;
    // Tsai's equations about the mean: the two values are the roots of z^2 - (third / second) z - second.
    const double sum = third / second;
    const double apart = std::sqrt(sum * sum + 4 * second);
    const double share = (sum + apart) / (2 * apart);
    const double enough = share * all.pixels * (1 - 0x1p-40); // a share that is reached may be rounded up
    double below = 0;
    std::size_t bin = used.first;
    for (; bin + 1 < used.last; ++bin) {
        below += static_cast<double>(counts[bin]);
        if (below >= enough) {
            break;
        }
    }
    return static_cast<std::int64_t>(bin);
}

std::int64_t percentile_split(BinCounts counts) {
    const auto all = static_cast<std::int64_t>(sums_of(counts).pixels);
    std::int64_t below = 0;
    std::int64_t least = all;
    std::size_t best = 0;
    for (std::size_t bin = 0; bin < counts.size(); ++bin) {
        below += static_cast<std::int64_t>(counts[bin]);
        const std::int64_t away = std::abs(2 * below - all);
        if (away < least) {
            least = away;
            best = bin;
        }
    }
    return static_cast<std::int64_t>(best);
}

std::int64_t huang_split(BinCounts given) {
    const BinGroups groups = groups_of(given, 1024);
    const std::vector<std::uint64_t> counts = groups.sums(given);
    const UsedBins used = used_bins(counts);
    const PartSums all = sums_of(counts);
    const auto range = static_cast<double>(used.last - used.first);
    PartSums lower;
    double least = std::numeric_limits<double>::infinity();
    std::size_t best = used.first;
    for (std::size_t split = used.first; split < used.last; ++split) {
        if (counts[split] == 0) {
            continue; // as the bin before it
        }
        lower.add(split, counts[split]);
        const double dark = lower.mean();
        const double bright = all.without(lower).mean();
        double sum = 0;
        for (std::size_t bin = used.first; bin <= used.last; ++bin) {
            if (counts[bin] > 0) {
                const double away = std::abs(static_cast<double>(bin) - (bin <= split ? dark : bright));
                sum += static_cast<double>(counts[bin]) * fuzziness(away / range);
            }
        }
        if (sum < least) {
            least = sum;
            best = split;
        }
    }
    return groups.last_of(static_cast<std::int64_t>(best));
}

} // namespace glproc
