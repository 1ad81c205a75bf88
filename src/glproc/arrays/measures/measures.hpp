// Measures of groups of values, with SciPy's bits. A group is a number for each value, from 0 to one less
// than there are groups.
#pragma once

#include "glproc/image/volume.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace glproc {

/// The group of each value. Another thread may change them while they are read: a number that is not there counts as the
/// last group, so that nothing outside the tables is touched.
class Groups {
  public:
    Groups(std::span<const std::int32_t> numbers, std::size_t count) : numbers_(numbers), count_(count) {}

    std::size_t size() const { return numbers_.size(); } ///< values
    std::size_t count() const { return count_; }         ///< groups, at least one
    std::size_t operator[](std::size_t value) const {
        const auto number = static_cast<std::uint32_t>(__atomic_load_n(&numbers_[value], __ATOMIC_RELAXED)); // once
        return std::min<std::size_t>(number, count_ - 1);
    }

  private:
    std::span<const std::int32_t> numbers_;
    std::size_t count_;
};

struct MeasureJob {
    Number type = Number::f64;
    std::span<const std::byte> values;
    Groups groups;
};

/// How many values there are, and their sums in the order of the array.
void count_and_sum(const MeasureJob& job, std::span<std::int64_t> counts, std::span<double> sums);

/// Sums of the squared distances from the means.
void sum_squares(const MeasureJob& job, std::span<const double> means, std::span<double> sums);

/// Sums of values times their index, which changes every `step` values and has `length` of them.
void sum_by_index(const MeasureJob& job, std::int64_t step, std::int64_t length, std::span<double> sums);

/// Extremes by group. NaNs are larger than all others. A group without values has zeros.
struct Extremes {
    /// The sort that SciPy takes decides which of equal values comes first, and so do these not.
    enum Flag : std::uint8_t {
        ties_of_least = 1,
        ties_of_largest = 2,
        two_zeros_least = 4,
        two_zeros_largest = 8
    };

    std::span<std::byte> least; ///< of the type of the values
    std::span<std::byte> largest;
    std::span<std::int64_t> least_at;
    std::span<std::int64_t> largest_at;
    std::span<std::uint8_t> flags;
};

void find_extremes(const MeasureJob& job, const Extremes& extremes);

/// The two values in the middle of each group, which are the same one if their number is odd. A group without
/// values is left as it is.
void find_middles(const MeasureJob& job, std::span<std::byte> below, std::span<std::byte> above);

/// The places of each group's values, one group after another. `starts` has one for each group and the end of
/// the last.
void group_places(const Groups& groups, std::span<std::int64_t> starts, std::span<std::int64_t> places);

} // namespace glproc
