#include "glproc/base/copy.hpp"

#include "glproc/base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace glproc {
namespace {

/// What a thread copies at a time: less does not pay for waking it.
constexpr std::size_t piece = std::size_t{256} << 10U;

/// More threads fill no memory bus.
constexpr std::size_t most_threads = 8;

/// Calls work(first, count) for parts of `all`, of `part` each, on several threads.
template <class Count, class Work>
void in_parts(Count all, Count part, Work work) {
    if (all <= part) {
        return work(Count{0}, all);
    }
    std::atomic<Count> next{0};
    on_threads(std::min(most_threads, static_cast<std::size_t>((all - 1) / part + 1)), [&] {
        for (Count first = next.fetch_add(part); first < all; first = next.fetch_add(part)) {
            work(first, std::min(part, all - first));
        }
    });
}

} // namespace

void in_bands(int rows, std::size_t bytes, const std::function<void(int first, int count)>& work) {
    in_parts(rows, static_cast<int>(std::max(piece / std::max(bytes, std::size_t{1}), std::size_t{1})), work);
}

void copy_bytes(const std::byte* from, std::byte* to, std::size_t bytes) {
    in_parts(bytes, piece,
             [=](std::size_t first, std::size_t count) { std::memcpy(to + first, from + first, count); });
}

void copy_rows(const std::byte* from, std::ptrdiff_t from_pitch, std::byte* to, std::ptrdiff_t to_pitch,
               std::size_t bytes, int rows) {
    const auto tight = static_cast<std::ptrdiff_t>(bytes);
    if (from_pitch == tight && to_pitch == tight) {
        return copy_bytes(from, to, bytes * static_cast<std::size_t>(rows));
    }
    in_bands(rows, bytes, [=](int first, int count) {
        for (std::ptrdiff_t y = first; y < first + count; ++y) {
            std::memcpy(to + y * to_pitch, from + y * from_pitch, bytes);
        }
    });
}

} // namespace glproc
