// Arrays that are worked on in slabs along their first axis, because they do not fit on the GPU as a whole.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace glproc {

/// The most rows along the first axis, of `length`, for which fits(rows) holds. The results of a slab need `around` more rows on both
/// sides: 0 if it has few others.
template <class Fits>
std::int64_t slab_rows(std::int64_t length, std::int64_t around, const Fits& fits) {
    std::int64_t low = 0;
    std::int64_t high = length;
    while (low < high) {
        const std::int64_t middle = (low + high + 1) / 2;
        if (fits(middle)) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low > 3 * around ? low : 0;
}

struct Slabs {
    std::int64_t rows = 0; ///< along the first axis, at most; 0: there is no way to cut
    std::int64_t around = 0;
};

/// Calls run(rows, source, result) for slabs, and keeps the results with `around` rows about them, or at an
/// end.
template <class Run>
void run_in_slabs(std::int64_t length, const Slabs& slabs, std::span<const std::byte> source,
                  std::span<std::byte> result, const Run& run) {
    const auto bytes_of_rows = [length](std::size_t all, std::int64_t rows) {
        return all / static_cast<std::size_t>(length) * static_cast<std::size_t>(rows);
    };
    std::vector<std::byte> apart;
    const std::int64_t around = slabs.around;
    const std::int64_t step = slabs.rows - 2 * around;
    for (std::int64_t first = 0; first < length; first += step) {
        const std::int64_t kept = std::min(step, length - first);
        const std::int64_t begin = std::max<std::int64_t>(0, first - around);
        const std::int64_t rows = std::min(length, first + kept + around) - begin;
        const auto from = source.subspan(bytes_of_rows(source.size(), begin), bytes_of_rows(source.size(), rows));
        const auto to = result.subspan(bytes_of_rows(result.size(), first), bytes_of_rows(result.size(), kept));
        if (rows == kept) {
            run(rows, from, to);
            continue;
        }
        apart.resize(bytes_of_rows(result.size(), rows));
        run(rows, from, std::span(apart));
        std::memcpy(to.data(), apart.data() + bytes_of_rows(result.size(), first - begin), to.size());
    }
}

} // namespace glproc
