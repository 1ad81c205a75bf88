// The tiles of an adaptive equalisation, and the processor's way over them.
#pragma once

#include "glproc/ops/clahe.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace glproc {

/// How an image is cut into tiles, by OpenCV's rule. If the number of tiles does not divide the image along
/// both axes, pixels are added right and below. Along each axis these are at least 1 and at most the number
/// of tiles.
struct ClaheTiles {
    ClaheTiles(const Clahe& op, const Form& form);

    Form picture;
    PixelSize count;
    PixelSize size;      ///< of a tile
    LumaRule luma;       ///< of pictures with colours
    std::uint32_t limit; ///< of a count
    float scale;         ///< largest code / pixels of a tile

    std::size_t bins() const { return static_cast<std::size_t>(max_code(picture.depth)) + 1; }
    /// Of all tiles.
    std::size_t entries() const {
        return static_cast<std::size_t>(count.width) * static_cast<std::size_t>(count.height) * bins();
    }
    std::uint32_t pixels() const {
        return static_cast<std::uint32_t>(size.width) * static_cast<std::uint32_t>(size.height);
    }
    /// Rows that the tiles have together, which may be more than the image has.
    int rows() const { return size.height * count.height; }
    bool has_colours() const { return picture.channels >= 3; }
};

/// The pixel of a line of n that stands for pixel i, which may lie beyond its end.
int mirrored(int i, int n);

/// For each tile a count for each code.
using TileCounts = std::vector<std::uint32_t>;

/// Adds the pixels of rows of the image, beginning with `first_row`, to counts that are 0 before the first of
/// them.
void count_tiles(const ClaheTiles& tiles, const Image& rows, int first_row, TileCounts& counts);

/// For each tile an entry for each code.
using TileTables = std::vector<std::uint16_t>;

TileTables tables_of(const ClaheTiles& tiles, const TileCounts& counts);

/// Maps rows of the image, beginning with `first_row`.
Image map_rows(const ClaheTiles& tiles, Image rows, int first_row, const TileTables& tables);

} // namespace glproc
