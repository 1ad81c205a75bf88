#include "glproc/arrays/measures/measures.hpp"
#include "glproc/arrays/number_cast.hpp"

namespace glproc {

namespace {

/// Adds value_of(i, group) to the sum of the group of each place. Neighbours are mostly of one group, whose sum
/// stays in a register.
template <class Value, class Leave>
void add_by_group(const Groups& groups, std::span<double> sums, const Value& value_of, const Leave& leave) {
    for (std::size_t i = 0; i < groups.size();) {
        const std::size_t first = i;
        const std::size_t group = groups[i];
        double sum = sums[group];
        do {
            sum += value_of(i++, group);
        } while (i < groups.size() && groups[i] == group);
        sums[group] = sum;
        leave(group, i - first);
    }
}

/// Calls work(values) with the values as what they are.
template <class Work>
void with_values(const MeasureJob& job, const Work& work) {
    with_type(job.type, [&](auto type) { work(reinterpret_cast<const decltype(type)*>(job.values.data())); });
}

} // namespace

void count_and_sum(const MeasureJob& job, std::span<std::int64_t> counts, std::span<double> sums) {
    with_values(job, [&](const auto* values) {
        add_by_group(
            job.groups, sums, [&](std::size_t i, std::size_t) { return static_cast<double>(values[i]); },
            [&](std::size_t group, std::size_t many) { counts[group] += static_cast<std::int64_t>(many); });
    });
}

void sum_squares(const MeasureJob& job, std::span<const double> means, std::span<double> sums) {
    with_values(job, [&](const auto* values) {
        const auto square = [&](std::size_t i, std::size_t group) {
            const double apart = static_cast<double>(values[i]) - means[group];
            return apart * apart;
        };
        add_by_group(job.groups, sums, square, [](std::size_t, std::size_t) {});
    });
}

void sum_by_index(const MeasureJob& job, std::int64_t step, std::int64_t length, std::span<double> sums) {
    with_values(job, [&](const auto* values) {
        std::int64_t left = step;
        std::int64_t index = 0;
        const auto weighted = [&](std::size_t i, std::size_t) { // called for each place in order
            const double value = static_cast<double>(values[i]) * static_cast<double>(index);
            if (--left == 0) {
                left = step;
                index = index + 1 == length ? 0 : index + 1;
            }
            return value;
        };
        add_by_group(job.groups, sums, weighted, [](std::size_t, std::size_t) {});
    });
}

} // namespace glproc
