// Counts or adds up values over an image, on all cores.
#pragma once

#include "glproc/base/parallel.hpp"
#include "glproc/image/image.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace glproc {

/// Calls add(part, y) for each row of an image. Each thread has its own part, a copy of `empty`, for some of
/// the rows. The caller puts the parts together. It must do so in a way that gives the same result for any
/// number of parts.
template <class Part, class Add>
std::vector<Part> over_rows(const Image& image, const Part& empty, const Add& add) {
    constexpr std::size_t worthwhile = std::size_t{1} << 18U; // pixels, for a thread
    const auto rows = static_cast<std::size_t>(image.height());
    const std::size_t count = std::clamp(static_cast<std::size_t>(image.width()) * rows / worthwhile,
                                         std::size_t{1}, thread_limit());
    std::vector<Part> parts(count);
    parallel_for(count, [&](std::size_t i) {
        Part own = empty; // not in place: threads would write to the same lines of the cache
        for (std::size_t y = rows * i / count; y < rows * (i + 1) / count; ++y) {
            add(own, static_cast<int>(y));
        }
        parts[i] = std::move(own);
    });
    return parts;
}

} // namespace glproc
