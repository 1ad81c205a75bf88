#include "glproc/arrays/measures/measures.hpp"
#include "glproc/arrays/number_cast.hpp"
#include "glproc/base/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>
#include <vector>

namespace glproc {

namespace {

/// Fewer values are done before a thread would have started.
constexpr std::size_t least_values_measured = 1 << 16;

template <class T>
bool is_nan(T value) {
    if constexpr (std::is_floating_point_v<T>) {
        return value != value;
    }
    return false;
}

/// NaNs are larger than all others, as sorts of NumPy have it.
template <class T>
bool is_less(T a, T b) {
    return a < b || (is_nan(b) && !is_nan(a));
}

template <class T>
bool have_two_signs(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
        return std::signbit(a) != std::signbit(b);
    }
    return false;
}

template <class T>
struct GroupExtremes {
    T least{};
    T largest{};
    std::int64_t least_at = -1; ///< none yet
    std::int64_t largest_at = 0;
    std::uint8_t flags = 0;

    void take(T value, std::int64_t at) { add({value, value, at, at, 0}); }

    void add(const GroupExtremes& other) {
        if (other.least_at < 0) {
            return;
        }
        if (least_at < 0) {
            *this = other;
            return;
        }
        constexpr auto of_least =
            static_cast<std::uint8_t>(Extremes::ties_of_least | Extremes::two_zeros_least);
        constexpr auto of_largest =
            static_cast<std::uint8_t>(Extremes::ties_of_largest | Extremes::two_zeros_largest);
        if (is_less(other.least, least)) {
            least = other.least;
            least_at = other.least_at;
            flags = static_cast<std::uint8_t>((flags & ~of_least) | (other.flags & of_least));
        } else if (!is_less(least, other.least)) {
            const bool two = have_two_signs(least, other.least);
            flags = static_cast<std::uint8_t>(flags | (other.flags & of_least) | Extremes::ties_of_least |
                                              (two ? Extremes::two_zeros_least : 0));
        }
        if (is_less(largest, other.largest)) {
            largest = other.largest;
            largest_at = other.largest_at;
            flags = static_cast<std::uint8_t>((flags & ~of_largest) | (other.flags & of_largest));
        } else if (!is_less(other.largest, largest)) {
            const bool two = have_two_signs(largest, other.largest);
            flags = static_cast<std::uint8_t>(flags | (other.flags & of_largest) | Extremes::ties_of_largest |
                                              (two ? Extremes::two_zeros_largest : 0));
        }
    }
};

template <class T>
void extremes_of(const MeasureJob& job, const Extremes& extremes) {
    const auto* const values = reinterpret_cast<const T*>(job.values.data());
    const std::size_t groups = extremes.flags.size();
    // Each thread has a table of its own.
    const std::size_t parts =
        std::clamp<std::size_t>(std::min({job.groups.size() / least_values_measured,
                                          job.groups.size() / (4 * groups + 1), thread_limit()}),
                                1, 64);
    std::vector<std::vector<GroupExtremes<T>>> tables(parts);
    parallel_for(parts, [&](std::size_t part) {
        tables[part].resize(groups);
        const std::size_t end = job.groups.size() * (part + 1) / parts;
        for (std::size_t i = job.groups.size() * part / parts; i < end; ++i) {
            GroupExtremes<T>& group = tables[part][job.groups[i]];
            // Most values are neither; those equal to an extreme are no such case.
            if (group.least_at < 0 ||
                !(is_less(group.least, values[i]) && is_less(values[i], group.largest))) {
                group.take(values[i], static_cast<std::int64_t>(i));
            }
        }
    });
    for (std::size_t i = 0; i < groups; ++i) {
        GroupExtremes<T> all = tables[0][i];
        for (std::size_t part = 1; part < parts; ++part) {
            all.add(tables[part][i]);
        }
        std::memcpy(extremes.least.data() + i * sizeof(T), &all.least, sizeof(T));
        std::memcpy(extremes.largest.data() + i * sizeof(T), &all.largest, sizeof(T));
        extremes.least_at[i] = std::max<std::int64_t>(all.least_at, 0);
        extremes.largest_at[i] = all.largest_at;
        extremes.flags[i] = all.flags;
    }
}

/// Calls put(value, place) so that the values of each group come one group after another. Returns where each group begins,
/// and the end. Of groups that change meanwhile some places may be left out, or come twice.
template <class Put>
std::vector<std::int64_t> in_groups(const Groups& groups, const Put& put) {
    std::vector<std::int64_t> starts(groups.count() + 1);
    for (std::size_t i = 0; i < groups.size(); ++i) {
        ++starts[groups[i] + 1];
    }
    for (std::size_t i = 0; i < groups.count(); ++i) {
        starts[i + 1] += starts[i];
    }
    std::vector<std::int64_t> next = starts;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const auto place = static_cast<std::size_t>(next[groups[i]]++);
        if (place < groups.size()) {
            put(i, place);
        }
    }
    return starts;
}

template <class T>
void middles_of(const MeasureJob& job, std::byte* below, std::byte* above) {
    const auto* const values = reinterpret_cast<const T*>(job.values.data());
    std::vector<T> grouped(job.groups.size());
    const std::vector<std::int64_t> starts =
        in_groups(job.groups, [&](std::size_t i, std::size_t place) { grouped[place] = values[i]; });
    parallel_for(job.groups.count(), [&](std::size_t i) {
        const auto first = grouped.begin() + starts[i];
        const auto end = grouped.begin() + starts[i + 1];
        if (first == end) {
            return;
        }
        const auto middle = first + (end - first) / 2;
        std::nth_element(first, middle, end, is_less<T>);
        // Before the middle lie the smaller half.
        const T lower = (end - first) % 2 == 0 ? *std::max_element(first, middle, is_less<T>) : *middle;
        std::memcpy(below + i * sizeof(T), &lower, sizeof(T));
        std::memcpy(above + i * sizeof(T), &*middle, sizeof(T));
    });
}

} // namespace

void find_extremes(const MeasureJob& job, const Extremes& extremes) {
    with_type(job.type, [&](auto type) { extremes_of<decltype(type)>(job, extremes); });
}

void find_middles(const MeasureJob& job, std::span<std::byte> below, std::span<std::byte> above) {
    with_type(job.type, [&](auto type) { middles_of<decltype(type)>(job, below.data(), above.data()); });
}

void group_places(const Groups& groups, std::span<std::int64_t> starts, std::span<std::int64_t> places) {
    const std::vector<std::int64_t> begins = in_groups(
        groups, [&](std::size_t i, std::size_t place) { places[place] = static_cast<std::int64_t>(i); });
    std::copy(begins.begin(), begins.end(), starts.begin());
}

} // namespace glproc
