// Neighbouring bins of a histogram, counted together.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace glproc {

using BinCounts = std::span<const std::uint64_t>;

/// The bins that count.
struct UsedBins {
    std::size_t first = 0;
    std::size_t last = 0;
    std::size_t number = 0;
};

inline UsedBins used_bins(BinCounts counts) {
    UsedBins used;
    for (std::size_t bin = 0; bin < counts.size(); ++bin) {
        if (counts[bin] > 0) {
            used.first = used.number == 0 ? bin : used.first;
            used.last = bin;
            ++used.number;
        }
    }
    return used;
}

/// `number` groups of `width` bins each. The first group begins at the bin `first`.
struct BinGroups {
    std::size_t first = 0;
    std::size_t width = 1;
    std::size_t number = 0;

    std::vector<std::uint64_t> sums(BinCounts counts) const {
        std::vector<std::uint64_t> result(number);
        const std::size_t end = std::min(first + number * width, counts.size());
        for (std::size_t bin = first; bin < end; ++bin) {
            result[(bin - first) / width] += counts[bin];
        }
        return result;
    }
    /// The last bin of a group.
    std::int64_t last_of(std::int64_t group) const {
        return static_cast<std::int64_t>(first) + (group + 1) * static_cast<std::int64_t>(width) - 1;
    }
};

/// The bins themselves if they are not more than `most`. Else groups that hold all pixels: at most one group
/// more than `most`. They are a power of two bins wide, so that each code of 8 bits that became one of 16
/// bits keeps a group for itself.
inline BinGroups groups_of(BinCounts counts, std::size_t most) {
    if (counts.size() <= most) {
        return {0, 1, counts.size()};
    }
    const UsedBins used = used_bins(counts);
    const std::size_t width = std::bit_ceil((used.last - used.first) / most + 1);
    if (width * most >= counts.size()) {
        return {0, width, most};
    }
    const std::size_t first = used.first / width;
    return {first * width, width, used.last / width - first + 1};
}

} // namespace glproc
