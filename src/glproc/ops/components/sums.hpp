// A connected component as exact sums over its pixels.
#pragma once

#include <cstdint>
#include <span>

namespace glproc {

__extension__ using WideSum = unsigned __int128;

/// Sums over the pixels of a component; no pixels yet.
struct ComponentSums {
    std::uint64_t area = 0; ///< pixels
    std::uint64_t x = 0;    ///< the sum of x, and so on
    std::uint64_t y = 0;
    WideSum xx = 0; ///< the last three only if moments are wanted
    WideSum xy = 0;
    WideSum yy = 0;
    int left = INT32_MAX; ///< the smallest x, and so on
    int top = INT32_MAX;
    int right = -1;
    int bottom = -1;

    /// Adds the pixels of another.
    void join(const ComponentSums& other);
    /// Moves all pixels down.
    void move_down(int rows);
    bool operator==(const ComponentSums&) const = default;
};

/// Words of a component in the buffer that glsl/components/sums.comp fills.
constexpr int sum_words(bool moments) {
    return moments ? 15 : 9;
}

ComponentSums sums_of_words(std::span<const std::uint32_t> words);

} // namespace glproc
