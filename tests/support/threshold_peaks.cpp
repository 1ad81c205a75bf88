#include "support/threshold_parts.hpp"

#include <cmath>

namespace glproc::test {

namespace {

struct UsedRange {
    std::size_t first;
    std::size_t last;
};

UsedRange used_range(const Counts& counts) {
    const std::vector<UsedBin> used = used_of(counts);
    return {used.front().bin, used.back().bin};
}

/// Smooths until there are two peaks; returns the heights and the places of the peaks.
std::optional<std::pair<std::vector<double>, std::array<std::size_t, 2>>> smoothed(const Counts& counts) {
    std::vector<double> heights(counts.begin(), counts.end());
    for (int turn = 0; turn <= 10000; ++turn) {
        std::vector<std::size_t> peaks;
        for (std::size_t i = 1; i + 1 < heights.size(); ++i) {
            if (heights[i - 1] < heights[i] && heights[i + 1] < heights[i]) {
                peaks.push_back(i);
            }
        }
        if (peaks.size() == 2) {
            return std::pair{heights, std::array{peaks[0], peaks[1]}};
        }
        std::vector<double> next(heights.size());
        for (std::size_t i = 0; i < heights.size(); ++i) {
            next[i] =
                ((i > 0 ? heights[i - 1] : 0) + heights[i] + (i + 1 < heights.size() ? heights[i + 1] : 0)) /
                3;
        }
        heights = next;
    }
    return std::nullopt;
}

} // namespace

Grouped grouped(const Counts& counts, std::size_t most) {
    const auto [first, last] = used_range(counts);
    Grouped result{counts};
    if (counts.size() <= most) {
        return result;
    }
    while (result.width * most <= last - first) {
        result.width *= 2;
    }
    const bool is_all = result.width * most >= counts.size();
    result.first = is_all ? 0 : first - first % result.width;
    result.counts.assign(is_all ? most : (last - result.first) / result.width + 1, 0);
    for (std::size_t bin = first; bin <= last; ++bin) {
        result.counts[(bin - result.first) / result.width] += counts[bin];
    }
    return result;
}

/// As in AutoThresholder of ImageJ 1.53t, in groups of bins.
std::int64_t imagej_truth(const Counts& counts) {
    const Grouped all = grouped(counts, 256);
    const auto peak = std::max_element(all.counts.begin(), all.counts.end());
    Counts sorted = all.counts;
    std::sort(sorted.rbegin(), sorted.rend());
    const std::uint64_t second = sorted[1];
    Counts inner = counts;
    inner.front() = inner.back() = 0;
    Counts inner_heights(all.counts.size());
    for (std::size_t bin = 0; bin < inner.size(); ++bin) {
        if (inner[bin] > 0) {
            inner_heights[(bin - all.first) / all.width] += inner[bin];
        }
    }
    if (second > 0 && *peak > 2 * second) {
        std::uint64_t& height = inner_heights[static_cast<std::size_t>(peak - all.counts.begin())];
        height = std::min(height, second + second / 2);
    }
    const std::vector<UsedBin> used = used_of(inner_heights);
    if (used.size() < 2) {
        return static_cast<std::int64_t>(counts.size() / 2);
    }
    std::size_t moving = used.front().bin;
    double result = 0;
    do {
        const auto [lower, upper] = parts_of(used, moving);
        result = (lower.mean() + upper.mean()) / 2;
        ++moving;
    } while (static_cast<double>(moving + 1) <= result && moving + 1 < used.back().bin);
    return all.last_bin(std::llround(result));
}

std::optional<std::int64_t> intermodes_truth(const Counts& counts) {
    const Grouped all = grouped(counts, 256);
    const auto [first, last] = used_range(all.counts);
    const auto found = smoothed(Counts(all.counts.begin() + static_cast<std::ptrdiff_t>(first),
                                       all.counts.begin() + static_cast<std::ptrdiff_t>(last) + 1));
    if (!found) {
        return std::nullopt;
    }
    return all.last_bin(static_cast<std::int64_t>(first + (found->second[0] + found->second[1]) / 2));
}

std::optional<std::int64_t> minimum_truth(const Counts& counts) {
    const Grouped all = grouped(counts, 256);
    const auto found = smoothed(all.counts);
    if (!found) {
        return std::nullopt;
    }
    const auto& [heights, peaks] = *found;
    for (std::size_t t = peaks[0] + 1; t < peaks[1]; ++t) {
        if (heights[t - 1] > heights[t] && heights[t] <= heights[t + 1]) {
            return all.last_bin(static_cast<std::int64_t>(t));
        }
    }
    return std::nullopt;
}

/// The bin before the one that lies farthest from the line from the peak to the foot beyond the longer tail.
std::int64_t triangle_truth(const Counts& counts) {
    const auto [first, last] = used_range(counts);
    const auto peak = std::max_element(counts.begin(), counts.end()) - counts.begin();
    const std::int64_t left = first == 0 ? 0 : static_cast<std::int64_t>(first) - 1;
    const std::int64_t right = static_cast<std::int64_t>(std::min(last + 1, counts.size() - 1));
    const bool is_right = right - peak > peak - left;
    const std::int64_t foot = is_right ? right : left;
    const std::int64_t step = is_right ? -1 : 1;
    const double height = static_cast<double>(counts[static_cast<std::size_t>(peak)]);
    const double slope = height / std::abs(static_cast<double>(peak - foot));
    std::int64_t best = foot;
    double farthest = 0;
    for (std::int64_t bin = foot; bin != peak + step; bin += step) {
        const double below = slope * std::abs(static_cast<double>(bin - foot)) -
                             static_cast<double>(counts[static_cast<std::size_t>(bin)]);
        if (below > farthest + 1e-9 * height) {
            farthest = below;
            best = bin;
        }
    }
    return best - step;
}

} // namespace glproc::test
