// Few colours for many: which ones, and which of them each pixel gets.
#pragma once

#include "glproc/image/image.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace glproc::codecs {

using Rgba = std::array<std::uint8_t, 4>;

/// The colours of the pixels that `wanted` marks, in the order of their numbers; nothing where there are more
/// than `most`.
std::optional<std::vector<Rgba>> exact_palette(std::span<const Rgba> pixels,
                                              std::span<const std::uint8_t> wanted, std::size_t most);

/// At most `most` colours that come near: boxes of colours split where that lessens the squared error most,
/// as in P. Heckbert, "Color image quantization for frame buffer display", 1982, and X. Wu, "Efficient
/// statistical computations for optimal color quantization", 1991; then three rounds of k-means.
std::vector<Rgba> near_palette(std::span<const Rgba> pixels, std::span<const std::uint8_t> wanted,
                              std::size_t most);

/// How many colours there are that differ clearly; for sharing out the places of a palette.
std::size_t coarse_colours(std::span<const Rgba> pixels, std::span<const std::uint8_t> wanted);

/// The number of the colour of each marked pixel in the palette, which has all of them, sorted; 0 for others.
std::vector<std::uint8_t> exact_numbers(std::span<const Rgba> palette, std::span<const Rgba> pixels,
                                        std::span<const std::uint8_t> wanted);

/// The same of a palette that has not, with dithering: R. Floyd and L. Steinberg, "An adaptive algorithm for
/// spatial grey scale", 1976; rows in alternating directions.
std::vector<std::uint8_t> dithered_numbers(std::span<const Rgba> palette, std::span<const Rgba> pixels,
                                           std::span<const std::uint8_t> wanted, int width);

} // namespace glproc::codecs
