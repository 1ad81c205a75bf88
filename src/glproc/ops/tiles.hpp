// Pictures of any size: larger than a texture, than a storage block, than the memory of the GPU and of the
// machine. Their rows come from a RowSource and go to a RowWriter; between them lie a window of rows in CPU
// memory, and one tile at a time on the GPU. Whatever the tiles, the result is the same bit for bit.
//
//   glproc::Context gpu({.memory_bytes = 1U << 30U});
//   glproc::Blur{.sigma = 20}(gpu, source, *writer); // as Box, Equalize and Integral
//   writer->finish();
//   auto counts = glproc::Histogram{}(gpu, source);
//
// rows_of() of image/memory_rows.hpp makes a source of an Image, ImageRows a target.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/image/rows.hpp"
#include "glproc/ops/field.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace glproc {

/// Is told which share of the work is done, from 0 to 1.
using TileProgress = std::function<void(double share)>;

/// What an operation says about itself so that its pictures can be cut.
struct TileNeeds {
    std::string what; ///< for errors: "blur with radius 8,8"
    /// So far to each side a pixel of the result depends on pixels of the picture: a multiple of the grain.
    PerAxis<int> halo = 0;
    PerAxis<int> grain = 1;  ///< tiles begin at multiples of it
    bool repeats = false;    ///< beyond the picture it begins again (BorderMode::wrap)
    int texel_pixels = 1;    ///< of the widest texture that a tile needs
    double pixel_bytes = 16; ///< GPU memory that a pixel of a tile takes, source and result included
    double pixel_work = 0;   ///< multiplications a pixel
};

/// How a picture is cut: pixels of the result in a tile, multiples of the grain. An axis where that is the
/// picture's own size is not cut.
///
/// A tile is worked on together with the pixels around it, `halo` on each side, as far as there are any: at
/// an edge of the picture the tile ends as the picture does, and the operation's own border is there what it
/// is in the whole. Where the picture repeats, the pixels around come from its other side instead. Along an
/// axis that is not cut nothing is added.
struct TileGrid {
    PerAxis<int> size = 0;

    bool is_cut_x(const Form& form) const { return size.x < form.width; }
    bool is_cut_y(const Form& form) const { return size.y < form.height; }
    bool is_whole(const Form& form) const { return !is_cut_x(form) && !is_cut_y(form); }
};

/// What tiles must stay within.
struct TileRoom {
    std::int64_t texture_size = 0; ///< texels
    double bytes = 0;              ///< GPU memory
    double long_work = 0x1p33;  ///< multiplications: a picture that takes more is cut, to show how far it is
    double tile_work = 0x1p31;  ///< what its tiles then take, if they are not small beside their halo
    double tile_bytes = 0x1p30; ///< beyond these larger tiles gain nothing, if the halo is small
};

/// What a context has: half of its memory_bytes(), as it keeps free storage as well.
TileRoom room_of(Context& gpu);

/// The grid with the least work in halos. Throws Error(operation) where not even the smallest tile has room.
TileGrid plan_grid(Context& gpu, const Form& form, const TileNeeds& needs);
TileGrid plan_grid(const TileRoom& room, const Form& form, const TileNeeds& needs,
                   const std::string& renderer);

/// Makes of a tile in CPU memory the result for it, of the same form. Pixels beyond the tile proper may hold
/// anything.
using TileWork = std::function<Image(Image tile)>;

/// The whole picture through `work`, tile by tile. `to` gets rows of the source's form, and no finish().
void filter_tiles(const RowSource& from, RowWriter& to, const TileNeeds& needs, const TileGrid& grid,
                  const TileWork& work, const TileProgress& progress = {});

/// Shows the picture once, `rows` whole rows at a time.
void visit_bands(const RowSource& from, int rows, const std::function<void(const Image& band)>& visit,
                 const TileProgress& progress = {});

/// Shows a band in parts that are at most `width` pixels wide.
void visit_columns(const Image& band, int width, const std::function<void(const Image& part)>& visit);

} // namespace glproc
