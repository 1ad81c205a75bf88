// The rules of thresholds by the formulas of their papers, written as plainly as they stand there: each split
// adds everything up again. For histograms with a few hundred used bins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace glproc::test {

using Counts = std::vector<std::uint64_t>;

/// What a rule makes least. Its split is the first bin with the least value, of those with pixels on both
/// sides.
std::function<double(std::size_t)> criterion_of(std::string_view rule, const Counts& counts);

/// Of rules without a criterion, and of those with one; none where a rule finds nothing. At least three bins
/// count.
std::optional<std::int64_t> split_truth(std::string_view rule, const Counts& counts);

/// The variance between the classes that the splits cut a histogram into, times its pixels.
double variance_between(const Counts& counts, const std::vector<std::int64_t>& splits);

/// The first of all combinations of splits with the largest variance between the classes, by the table of
/// Liao, Chen and Chung; none where they are too many, or the bins too few.
std::optional<std::vector<std::int64_t>> otsu_truth(const Counts& counts, int classes);

} // namespace glproc::test
