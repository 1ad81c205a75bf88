#include "glproc/base/covering.hpp"
#include "glproc/base/error.hpp"
#include "glproc/op/tiles.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr double mebibyte = 0x1p20;

/// The largest textures, in pixels, and how many pixels they may have.
struct Bounds {
    std::int64_t width;
    std::int64_t height;
    double pixels;
};

/// A grid, and the share of the work on its tiles that is not spent on their halos.
struct GridCandidate {
    TileGrid grid;
    double use = 0;
};

/// Pixels that the tiles along an axis have with their halos.
double with_halo(int size, int n, int halo) {
    return size < n ? size + 2.0 * halo : n;
}

int round_down(double value, int grain) {
    return static_cast<int>(std::min(value, 0x1p30) / grain) * grain;
}

double use_of(const TileGrid& grid, const Form& form, const TileNeeds& needs) {
    return grid.size.x / with_halo(grid.size.x, form.width, needs.halo.x) * grid.size.y /
           with_halo(grid.size.y, form.height, needs.halo.y);
}

/// The tallest tiles of this width.
GridCandidate tallest(const Bounds& bounds, const Form& form, const TileNeeds& needs, int width) {
    const double columns = with_halo(width, form.width, needs.halo.x);
    const double most = std::min(double(bounds.height), bounds.pixels / columns);
    if (columns > double(bounds.width)) {
        return {};
    }
    const int room = round_down(most - 2.0 * needs.halo.y, needs.grain.y);
    const TileGrid grid{{width, form.height <= most ? form.height : room}};
    const bool fits = grid.size.y > 0 && (!grid.is_cut_y(form) || room + 2.0 * needs.halo.y < form.height) &&
                      (!grid.is_cut_x(form) || columns < form.width);
    return fits ? GridCandidate{grid, use_of(grid, form, needs)} : GridCandidate{};
}

/// Whole rows are read and written as they lie: columns are cut only if that saves much.
GridCandidate best_grid(const Bounds& bounds, const Form& form, const TileNeeds& needs) {
    GridCandidate best = tallest(bounds, form, needs, form.width);
    if (best.use > 0.5) {
        return best;
    }
    for (int parts = 2; parts <= form.width / needs.grain.x + 1; parts += 1 + parts / 8) {
        const int part = covering(form.width, parts);
        const int width = covering(part, needs.grain.x) * needs.grain.x;
        const GridCandidate other =
            width < form.width ? tallest(bounds, form, needs, width) : GridCandidate{};
        if (other.use > best.use * 1.1) {
            best = other;
        }
    }
    return best;
}

/// Tiles of less work, unless they would be small compared with their halo.
TileGrid shortened(const TileGrid& grid, const TileRoom& room, const Form& form, const TileNeeds& needs) {
    const double columns = with_halo(grid.size.x, form.width, needs.halo.x);
    const double wanted = room.tile_work / (needs.pixel_work * columns);
    const int rows = std::max(round_down(std::max(wanted, 2.0 * needs.halo.y), needs.grain.y), needs.grain.y);
    const bool is_less = rows < grid.size.y && rows + 2.0 * needs.halo.y < form.height;
    return {{grid.size.x, is_less ? rows : grid.size.y}};
}

Bounds bounds_of(const TileRoom& room, const TileNeeds& needs, double bytes) {
    return {room.texture_size * needs.texel_pixels, std::min(room.texture_size, needs.most_rows),
            bytes / needs.pixel_bytes};
}

bool fits_whole(const Bounds& bounds, const Form& form) {
    return form.width <= bounds.width && form.height <= bounds.height &&
           double(form.width) * form.height <= bounds.pixels;
}

} // namespace

TileRoom room_of(Context& gpu) {
    TileRoom room{.texture_size = gpu.limits().texture_size,
                  .bytes = static_cast<double>(gpu.memory_bytes()) / 2};
    if (!gpu.device().software) { // some 100 times as fast
        room.long_work *= 64;
        room.tile_work *= 64;
    }
    return room;
}

TileGrid plan_grid(Context& gpu, const Form& form, const TileNeeds& needs) {
    return plan_grid(room_of(gpu), form, needs, gpu.device().renderer);
}

TileGrid plan_grid(const TileRoom& room, const Form& form, const TileNeeds& needs,
                   const std::string& renderer) {
    const TileGrid whole{{form.width, form.height}};
    const Bounds bounds = bounds_of(room, needs, room.bytes);
    const bool is_long = double(form.width) * form.height * needs.pixel_work > room.long_work;
    if (fits_whole(bounds, form)) {
        return is_long ? shortened(whole, room, form, needs) : whole;
    }
    GridCandidate best =
        best_grid(bounds_of(room, needs, std::min(room.bytes, room.tile_bytes)), form, needs);
    if (best.use < 0.5) {
        best = std::max(best, best_grid(bounds, form, needs),
                        [](const GridCandidate& a, const GridCandidate& b) { return a.use < b.use; });
    }
    if (best.use == 0) {
        throw Error(
            ErrorCode::operation,
            fmt::format(
                "{} leaves no room for a tile of an image of {}x{} pixels: {} has textures of {} texels, "
                "and {:.0f} MiB may be used",
                needs.what, form.width, form.height, renderer, room.texture_size, 2 * room.bytes / mebibyte),
            "use a smaller radius, or allow more memory");
    }
    return is_long ? shortened(best.grid, room, form, needs) : best.grid;
}

TileGrid plan_grid(Context& gpu, const Form& source, const Form& result, const TileNeeds& needs,
                   const std::function<Rect(const Rect&)>& source_of) {
    const TileRoom room = room_of(gpu);
    const auto fits = [&](const Rect& rect) {
        const Rect from = source_of(rect);
        const auto most_columns = room.texture_size * needs.texel_pixels;
        const double pixels = double(rect.width) * rect.height + double(from.width) * from.height;
        return std::max(rect.width, from.width) <= most_columns &&
               std::max(rect.height, from.height) <= room.texture_size &&
               pixels * needs.pixel_bytes <= room.bytes;
    };
    return plan_grid(gpu, source, result, needs, std::function<bool(const Rect&)>(fits));
}

TileGrid plan_grid(Context& gpu, const Form& source, const Form& result, const TileNeeds& needs,
                   const std::function<bool(const Rect&)>& fits) {
    // If there are many tiles, some of them stand for all.
    const auto all_fit = [&](const TileGrid& grid) {
        const auto places = [](int n, int size) {
            constexpr int most = 32;
            const int last = (n - 1) / size;
            std::vector<int> firsts;
            for (int i = 0; i <= std::min(last, most); ++i) {
                firsts.push_back(static_cast<int>(std::int64_t{i} * last / std::clamp(last, 1, most)) * size);
            }
            return firsts;
        };
        const std::vector<int> columns = places(result.width, grid.size.x);
        const std::vector<int> rows = places(result.height, grid.size.y);
        return std::all_of(rows.begin(), rows.end(), [&](int y) {
            return std::all_of(columns.begin(), columns.end(), [&](int x) {
                return fits({x, y, std::min(grid.size.x, result.width - x),
                             std::min(grid.size.y, result.height - y)});
            });
        });
    };
    const auto part_of = [](int n, int parts, int grain) {
        return covering(covering(n, parts), grain) * grain;
    };
    // The first that fits, of tiles with so many rows at least.
    const auto first_fit = [&](int rows_of_whole, int rows_of_part) -> std::optional<TileGrid> {
        for (int columns = 1; columns <= result.width; columns *= 2) {
            const int least_rows = std::min(result.height, columns == 1 ? rows_of_whole : rows_of_part);
            for (int bands = 1; bands <= result.height; bands += 1 + bands / 8) {
                const TileGrid grid{
                    {columns == 1 ? result.width : part_of(result.width, columns, needs.grain.x),
                     bands == 1 ? result.height : part_of(result.height, bands, needs.grain.y)}};
                if (grid.size.y < least_rows) {
                    break;
                }
                if (all_fit(grid)) {
                    return grid;
                }
            }
        }
        return {};
    };
    // A narrow tile that is low as well saves less work than more columns would; but small textures leave no
    // choice.
    if (const auto grid = first_fit(16, 256)) {
        return *grid;
    }
    if (const auto grid = first_fit(1, 1)) {
        return *grid;
    }
    throw Error(ErrorCode::operation,
                fmt::format("{} leaves no room for a tile of an image of {}x{} pixels on {}", needs.what,
                            source.width, source.height, gpu.device().renderer),
                "allow more memory");
}

} // namespace glproc
