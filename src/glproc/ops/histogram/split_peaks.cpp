// Rules for histograms with two peaks.
#include "glproc/base/error.hpp"
#include "glproc/ops/histogram/split_rules.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace glproc {

namespace {

/// A histogram that is smooth enough to have two peaks, and their places.
struct TwoPeaks {
    std::vector<double> heights;
    std::size_t left = 0;
    std::size_t right = 0;
};

/// The bins that are higher than both of their neighbours.
void find_peaks(const std::vector<double>& heights, std::vector<std::size_t>& peaks) {
    peaks.clear();
    for (std::size_t bin = 1; bin + 1 < heights.size(); ++bin) {
        if (heights[bin] > heights[bin - 1] && heights[bin] > heights[bin + 1]) {
            peaks.push_back(bin);
        }
    }
}

/// Replaces each bin by the mean of itself and its neighbours, and there are none beyond the ends.
void smooth(std::vector<double>& heights) {
    double before = 0;
    for (std::size_t bin = 0; bin < heights.size(); ++bin) {
        const double here = heights[bin];
        const double after = bin + 1 < heights.size() ? heights[bin + 1] : 0;
        heights[bin] = (before + here + after) / 3;
        before = here;
    }
}

TwoPeaks two_peaks(BinCounts counts, std::string_view rule) {
    constexpr int most_turns = 10000; // as in ImageJ and scikit-image
    TwoPeaks found{{counts.begin(), counts.end()}};
    std::vector<std::size_t> peaks;
    for (int turn = 0; turn <= most_turns; ++turn) {
        find_peaks(found.heights, peaks);
        if (peaks.size() == 2) {
            found.left = peaks.front();
            found.right = peaks.back();
            return found;
        }
        smooth(found.heights);
    }
    throw Error(ErrorCode::operation, fmt::format("{} finds no two peaks in the histogram", rule),
                "take the rule otsu or triangle, which need no peaks");
}

} // namespace

std::int64_t intermodes_split(BinCounts counts) {
    const BinGroups groups = groups_of(counts, 256);
    const std::vector<std::uint64_t> sums = groups.sums(counts);
    const UsedBins used = used_bins(sums);
    const TwoPeaks found =
        two_peaks(BinCounts(sums).subspan(used.first, used.last - used.first + 1), "intermodes");
    return groups.last_of(static_cast<std::int64_t>(used.first + (found.left + found.right) / 2));
}

std::int64_t minimum_split(BinCounts counts) {
    const BinGroups groups = groups_of(counts, 256);
    const TwoPeaks found = two_peaks(groups.sums(counts), "minimum");
    const std::vector<double>& heights = found.heights;
    std::size_t valley = found.left + 1;
    while (valley < found.right &&
           !(heights[valley - 1] > heights[valley] && heights[valley] <= heights[valley + 1])) {
        ++valley;
    }
    return groups.last_of(static_cast<std::int64_t>(valley));
}

} // namespace glproc
