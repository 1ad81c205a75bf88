// Look-up tables of colours in .cube files.
//
// Source: Adobe, Cube LUT Specification 1.0, 2013; and the input ranges that DaVinci Resolve writes.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace glproc {

struct Cube {
    int size = 0;                         ///< entries along each axis, at least 2
    bool has_three_axes = false;          ///< else each channel has a table of its own
    std::array<float, 3> low = {0, 0, 0}; ///< red, green and blue of the first entry
    std::array<float, 3> high = {1, 1, 1};
    std::vector<float> values; ///< red, green and blue of each entry; along three axes red varies fastest
};

inline constexpr int max_cube_size = 256;         ///< of three axes
inline constexpr int max_cube_size_alone = 65536; ///< of one

/// Throws Error(input), "look.cube:12: what is wrong".
Cube parse_cube(std::span<const std::byte> file, std::string_view name);

} // namespace glproc
