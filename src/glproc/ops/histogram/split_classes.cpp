// Otsu's rule for several classes.
#include "glproc/ops/histogram/split.hpp"
#include "glproc/ops/histogram/split_rules.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace glproc {

namespace {

/// The used bins of a histogram, cut into classes by dynamic programming from the highest bin down.
///
/// A class is worth (the sum of its bins)^2 / (its pixels), with bins counted from the mean, and the sum over
/// the classes is the variance between them. The first split never moves down as the lowest bin moves up. So
/// the bins in the middle of a range say where to look for the splits of both halves, and a step takes
/// n log2 n values instead of n^2.
class Classes {
  public:
    explicit Classes(BinCounts counts) {
        const PartSums all = sums_of(counts);
        const auto middle = static_cast<std::size_t>(all.bins / all.pixels);
        sums_.emplace_back();
        for (std::size_t bin = 0; bin < counts.size(); ++bin) {
            if (counts[bin] > 0) {
                used_.push_back(bin);
                PartSums& sum = sums_.emplace_back(sums_.back());
                const auto count = static_cast<double>(counts[bin]);
                sum.pixels += count;
                sum.bins += (static_cast<double>(bin) - static_cast<double>(middle)) * count;
            }
        }
    }

    std::size_t used() const { return used_.size(); }

    /// The last bin of each class but the highest.
    std::vector<std::int64_t> split(int classes) {
        for (std::size_t first = 0; first < used(); ++first) {
            best_.push_back(value(first, used() - 1));
        }
        std::vector<std::vector<std::size_t>> ends; // of the lowest class, by its first bin
        for (int more = 2; more <= classes; ++more) {
            ends.push_back(with_one_more(static_cast<std::size_t>(more)));
        }
        std::vector<std::int64_t> splits;
        for (std::size_t first = 0; !ends.empty(); ends.pop_back()) {
            const std::size_t last = ends.back()[first];
            splits.push_back(static_cast<std::int64_t>(used_[last]));
            first = last + 1;
        }
        return splits;
    }

  private:
    /// Of a class from one used bin to another.
    double value(std::size_t first, std::size_t last) const {
        const PartSums part = sums_[last + 1].without(sums_[first]);
        return part.bins * part.bins / part.pixels;
    }

    /// Cuts the bins above each first bin into one class more than best_ has. Returns where the lowest class
    /// ends.
    std::vector<std::size_t> with_one_more(std::size_t classes) {
        std::vector<double> best(used());
        std::vector<std::size_t> ends(used());
        struct Range {
            std::size_t begin, end;              ///< first bins
            std::size_t lowest_end, highest_end; ///< between which the lowest class ends
        };
        const std::size_t room = used() - classes; // the last bin that leaves one for each other class
        std::vector<Range> ranges{{0, room + 1, 0, room}};
        while (!ranges.empty()) {
            const Range range = ranges.back();
            ranges.pop_back();
            const std::size_t first = (range.begin + range.end) / 2;
            std::size_t found = std::max(first, range.lowest_end);
            double most = value(first, found) + best_[found + 1];
            for (std::size_t last = found + 1; last <= range.highest_end; ++last) {
                const double sum = value(first, last) + best_[last + 1];
                if (sum > most) {
                    most = sum;
                    found = last;
                }
            }
            best[first] = most;
            ends[first] = found;
            if (range.begin < first) {
                ranges.push_back({range.begin, first, range.lowest_end, found});
            }
            if (first + 1 < range.end) {
                ranges.push_back({first + 1, range.end, found, range.highest_end});
            }
        }
        best_ = std::move(best);
        return ends;
    }

    std::vector<std::size_t> used_;
    std::vector<PartSums> sums_; ///< of all used bins before each
    std::vector<double> best_; ///< by the first bin, up to the highest, in as many classes as were made last
};

} // namespace

std::vector<std::int64_t> otsu_splits(std::span<const std::uint64_t> counts, int classes) {
    if (classes == 2) {
        return {split_of(counts, SplitRule::otsu)};
    }
    if (const UsedBins used = used_bins(counts); used.number < static_cast<std::size_t>(classes)) {
        std::vector<std::int64_t> splits;
        for (std::size_t bin = used.first; splits.size() + 1 < used.number; ++bin) {
            if (counts[bin] > 0) {
                splits.push_back(static_cast<std::int64_t>(bin));
            }
        }
        splits.resize(static_cast<std::size_t>(classes) - 1, static_cast<std::int64_t>(used.last));
        return splits;
    }
    return Classes(counts).split(classes);
}

} // namespace glproc
