// Ranks of few values, for many places at once.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace glproc {

/// Values that are ranked side by side, and of how many neighbours at most.
inline constexpr std::int64_t lane_values = 64;
inline constexpr std::size_t most_lanes = 36;

/// Finds values of a rank side by side, by comparisons without a branch. Of the neighbours seen so far it
/// forgets the largest as soon as more are less than the rank says, and likewise the least: A. W. Paeth,
/// Median Finding on a 3 x 3 Grid, Graphics Gems, 1990.
class Lanes {
  public:
    /// `to` gets `count` values, lane_values at most.
    void select(const double* from, const std::vector<std::int64_t>& places, std::size_t rank,
                std::int64_t count, double* to) {
        std::size_t all = places.size(); // that are not forgotten
        std::size_t kept = 0;            // of those the ones that have been seen
        for (const std::int64_t place : places) {
            std::copy_n(from + place, count, lane(kept++));
            while (all > 1) {
                if (kept > rank + 1) {
                    move_last<true>(kept, count);
                } else if (kept > all - rank) {
                    move_last<false>(kept, count);
                    --rank;
                } else {
                    break;
                }
                --kept;
                --all;
            }
        }
        std::copy_n(lane(0), count, to);
    }

  private:
    double* lane(std::size_t i) { return values_.data() + i * static_cast<std::size_t>(lane_values); }

    /// The largest or the least of each place, into the last lane.
    template <bool is_largest>
    void move_last(std::size_t kept, std::int64_t count) {
        double* const last = lane(kept - 1);
        for (std::size_t i = 0; i + 1 < kept; ++i) {
            double* const other = lane(i);
            for (std::int64_t n = 0; n < count; ++n) {
                const double a = other[n];
                const double b = last[n];
                const double low = b < a ? b : a;
                const double high = b < a ? a : b;
                other[n] = is_largest ? low : high;
                last[n] = is_largest ? high : low;
            }
        }
    }

    std::array<double, most_lanes* static_cast<std::size_t>(lane_values)> values_;
};

} // namespace glproc
