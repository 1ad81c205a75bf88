// Pictures of any size: larger than a texture, a storage block, GPU memory or main memory. Rows come from a
// RowSource and go to a RowWriter. In between, CPU memory holds a window of rows and the GPU one tile at a
// time. The result does not depend on the tiles, not in a single bit.
//
//   glproc::Context gpu({.memory_bytes = 1U << 30U});
//   glproc::Blur{.sigma = 20}(gpu, source, *writer); // as Box, Equalize and Integral
//   writer->finish();
//   auto counts = glproc::Histogram{}(gpu, source);
//
// rows_of() of files/memory_rows.hpp makes a source of an Image, ImageRows a target.
#pragma once

#include "glproc/files/rows.hpp"
#include "glproc/gl/context.hpp"
#include "glproc/op/field.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace glproc {

/// A rectangle of pixels, in the coordinates of a whole picture.
struct Rect {
    int x = 0;
    int y = 0;
    int width = 0;
    int height = 0;

    int right() const { return x + width; }
    int bottom() const { return y + height; }
    bool operator==(const Rect&) const = default;
};

/// All of a picture.
inline Rect whole_of(const Form& form) {
    return {0, 0, form.width, form.height};
}

/// Called with the share of the work that is done, from 0 to 1.
using TileProgress = std::function<void(double share)>;

/// Facts about an operation that are needed to cut its images into tiles.
struct TileNeeds {
    std::string what; ///< for errors: "blur with radius 8,8"
    /// How far to each side a pixel of the result depends on pixels of the picture: a multiple of the grain.
    PerAxis<int> halo = 0;
    PerAxis<int> grain = 1; ///< tiles begin at multiples of it
    bool repeats = false;   ///< the picture repeats beyond its edges (BorderMode::wrap)
    int texel_pixels = 1;   ///< of the widest texture that a tile needs
    std::int64_t most_rows =
        std::numeric_limits<std::int64_t>::max(); ///< of a tile, if textures are not what limits them
    double pixel_bytes = 16; ///< GPU memory that a pixel of a tile takes, source and result included
    double pixel_work = 0;   ///< multiplications per pixel
};

/// How a picture is cut: the size of a tile in pixels of the result, multiples of the grain. An axis where
/// this is the size of the picture is not cut.
///
/// A tile is processed together with the pixels around it, `halo` on each side, as far as there are any. At
/// an edge of the picture the tile ends, too, and the operation's own border applies as it would to the whole
/// picture. If the picture repeats, the pixels around a tile at the edge come from the opposite side. Along
/// an axis that is not cut, nothing is added.
struct TileGrid {
    PerAxis<int> size = 0;

    bool is_cut_x(const Form& form) const { return size.x < form.width; }
    bool is_cut_y(const Form& form) const { return size.y < form.height; }
    bool is_whole(const Form& form) const { return !is_cut_x(form) && !is_cut_y(form); }
};

/// Limits on the size of tiles.
struct TileRoom {
    std::int64_t texture_size = 0; ///< texels
    double bytes = 0;              ///< GPU memory
    /// Multiplications by a software renderer: a picture that takes more is cut, to show how far it is.
    double long_work = 0x1p33;
    double tile_work = 0x1p31;  ///< the size of its tiles then, unless they are small beside their halo
    double tile_bytes = 0x1p30; ///< beyond these larger tiles gain nothing, if the halo is small
};

/// The budget of a context: half of its memory_bytes(), because it also keeps free storage. On a GPU more
/// work counts as long.
TileRoom room_of(Context& gpu);

/// The grid with the least work in halos. Throws Error(operation) if not even the smallest tile fits.
TileGrid plan_grid(Context& gpu, const Form& form, const TileNeeds& needs);
TileGrid plan_grid(const TileRoom& room, const Form& form, const TileNeeds& needs,
                   const std::string& renderer);

/// A picture that is made tile by tile.
struct TileJob {
    const RowSource& source;
    Form result;
    TileNeeds needs;
    TileGrid grid;
    /// The rectangle of the source that a tile of the result needs, if that is not the tile plus its halo.
    /// Pixels beyond the source come from its opposite side.
    std::function<Rect(const Rect&)> source_of = {};
    /// The result for `tile`, from a part of the source that is `from` in its coordinates. Without
    /// source_of() it covers `from`, and what it holds of the halo does not matter; with it, it covers
    /// `tile`.
    std::function<GpuImage(const GpuImage& part, const Rect& from, const Rect& tile)> run;
};

/// How to cut a picture whose tiles lie elsewhere in the source.
TileGrid plan_grid(Context& gpu, const Form& source, const Form& result, const TileNeeds& needs,
                   const std::function<Rect(const Rect&)>& source_of);
/// The same where `fits` says whether there is room for a tile.
TileGrid plan_grid(Context& gpu, const Form& source, const Form& result, const TileNeeds& needs,
                   const std::function<bool(const Rect&)>& fits);

/// A running job. It delivers its result in bands of rows, from top to bottom. Everything that the job refers
/// to must outlive it.
class TileRun {
  public:
    TileRun(Context& gpu, TileJob job);
    TileRun(const TileRun&) = delete;
    TileRun& operator=(const TileRun&) = delete;
    ~TileRun();

    /// The rows of the next band, which stay until the call after; none after the last.
    std::span<const std::byte> next_band(const TileProgress& progress = {});

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Does the job, tile by tile. `to` receives rows of the result; the caller calls finish().
void run_tiles(Context& gpu, const TileJob& job, RowWriter& to, const TileProgress& progress = {});

/// Visits the picture once, `rows` whole rows at a time.
void visit_bands(const RowSource& from, int rows, const std::function<void(const Image& band)>& visit,
                 const TileProgress& progress = {});

/// Visits a band in parts at most `width` pixels wide.
void visit_columns(const Image& band, int width, const std::function<void(const Image& part)>& visit);

} // namespace glproc
