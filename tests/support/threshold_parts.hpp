// Parts of a histogram, and what its rules say of them.
#pragma once

#include "support/threshold_truth.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace glproc::test {

/// A bin that counts.
struct UsedBin {
    std::size_t bin;
    double count;
};

inline std::vector<UsedBin> used_of(const Counts& counts) {
    std::vector<UsedBin> used;
    for (std::size_t bin = 0; bin < counts.size(); ++bin) {
        if (counts[bin] > 0) {
            used.push_back({bin, static_cast<double>(counts[bin])});
        }
    }
    return used;
}

using BinSpan = std::span<const UsedBin>;

/// Some bins, from the lowest to the highest.
struct BinPart {
    BinSpan used;

    template <class Term>
    double sum(const Term& term) const {
        double result = 0;
        for (const auto& [bin, count] : used) {
            result += term(static_cast<double>(bin), count);
        }
        return result;
    }
    double pixels() const {
        return sum([](double, double count) { return count; });
    }
    double mean() const {
        return sum([](double bin, double count) { return bin * count; }) / pixels();
    }
    double variance() const {
        const double middle = mean();
        return sum([&](double bin, double count) { return count * (bin - middle) * (bin - middle); }) /
               pixels();
    }
};

/// Both parts of a split.
inline std::array<BinPart, 2> parts_of(BinSpan used, std::size_t split) {
    const auto upper =
        std::find_if(used.begin(), used.end(), [&](const UsedBin& at) { return at.bin > split; });
    const auto lower = static_cast<std::size_t>(upper - used.begin());
    return {BinPart{used.first(lower)}, BinPart{used.subspan(lower)}};
}

/// Rules that look at peaks, and that are not found where there are no two.
std::int64_t imagej_truth(const Counts& counts);
std::int64_t triangle_truth(const Counts& counts);
std::optional<std::int64_t> intermodes_truth(const Counts& counts);
std::optional<std::int64_t> minimum_truth(const Counts& counts);

/// Groups of 2^k neighbours, no more than about `most`.
struct Grouped {
    Counts counts;
    std::size_t first = 0;
    std::size_t width = 1;

    std::int64_t last_bin(std::int64_t group) const {
        return static_cast<std::int64_t>(first + width * static_cast<std::size_t>(group) + width - 1);
    }
};

Grouped grouped(const Counts& counts, std::size_t most);

} // namespace glproc::test
