#include "glproc/ops/clahe/tiles.hpp"

#include "glproc/base/parallel.hpp"
#include "glproc/ops/equalize/luma.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace glproc {

namespace {

PixelSize tile_size(const PixelSize& tiles, const Form& form) {
    const int right = form.width % tiles.width;
    const int below = form.height % tiles.height;
    const bool fits = right == 0 && below == 0;
    return {(form.width + (fits ? 0 : tiles.width - right)) / tiles.width,
            (form.height + (fits ? 0 : tiles.height - below)) / tiles.height};
}

std::uint32_t limit_of(double clip, double pixels, double bins) {
    constexpr double none = UINT32_MAX;
    return static_cast<std::uint32_t>(clip > 0 ? std::clamp(std::floor(clip * pixels / bins), 1.0, none)
                                               : none);
}

/// The pixels of an image as codes, or with colours as bins of luma.
template <class T>
class PixelCodes {
  public:
    PixelCodes(const ClaheTiles& tiles)
        : luma_(tiles.luma, tiles.bins() - 1), channels_(static_cast<std::size_t>(tiles.picture.channels)),
          has_colours_(tiles.has_colours()) {}

    const T* pixel(const Image& image, int x, int y) const {
        return reinterpret_cast<const T*>(image.row(y)) + static_cast<std::size_t>(x) * channels_;
    }
    bool can_be_seen(const T* pixel) const { return channels_ % 2 == 1 || pixel[channels_ - 1] != 0; }
    std::size_t code_of(const T* pixel) const {
        return has_colours_ ? luma_.bin_of(luma_.of(pixel)) : *pixel;
    }
    /// Puts another in its place.
    void replace(T* pixel, T code) const {
        if (has_colours_) {
            luma_.replace(pixel, luma_.of(pixel), code);
        } else {
            *pixel = code;
        }
    }

  private:
    LumaOfCodes<T> luma_;
    std::size_t channels_;
    bool has_colours_;
};

template <class T>
void count_tile(const ClaheTiles& tiles, const Image& rows, int first_row, int tile, std::uint32_t* counts) {
    const PixelCodes<T> codes(tiles);
    const int left = tile % tiles.count.width * tiles.size.width;
    const int top = tile / tiles.count.width * tiles.size.height;
    for (int y = top; y < top + tiles.size.height; ++y) {
        const int row = mirrored(y, tiles.picture.height) - first_row;
        for (int x = left; x < left + tiles.size.width && row >= 0 && row < rows.height(); ++x) {
            const T* pixel = codes.pixel(rows, mirrored(x, tiles.picture.width), row);
            counts[codes.code_of(pixel)] += codes.can_be_seen(pixel) ? 1 : 0;
        }
    }
}

/// lrint(), ties to even.
std::uint16_t code_of(float value, float largest) {
    return static_cast<std::uint16_t>(std::clamp(std::nearbyint(value), 0.0F, largest));
}

/// Of a tile's counts, by how many pixels were counted.
struct TileRules {
    std::uint32_t limit;
    float scale;

    TileRules(const ClaheTiles& tiles, std::uint32_t counted) : limit(tiles.limit), scale(tiles.scale) {
        if (const auto pixels = static_cast<std::uint32_t>(tiles.pixels()); counted < pixels) {
            const float share = static_cast<float>(counted) * (1.0F / static_cast<float>(pixels));
            const float part = static_cast<float>(limit) * share;
            limit = limit == UINT32_MAX ? limit : std::max(static_cast<std::uint32_t>(part), 1U);
            scale = static_cast<float>(tiles.bins() - 1) * (1.0F / static_cast<float>(counted));
        }
    }
};

/// A tile without a visible pixel leaves codes as they are.
void make_table(const ClaheTiles& tiles, const std::uint32_t* counts, std::uint16_t* table) {
    const auto bins = static_cast<std::uint32_t>(tiles.bins());
    const std::uint32_t counted = std::accumulate(counts, counts + bins, 0U);
    if (counted == 0) {
        std::iota(table, table + bins, std::uint16_t{0});
        return;
    }
    const TileRules rules(tiles, counted);
    std::uint32_t clipped = 0;
    for (std::uint32_t i = 0; i < bins; ++i) {
        clipped += counts[i] - std::min(counts[i], rules.limit);
    }
    const std::uint32_t all = clipped / bins;
    std::uint32_t rest = clipped % bins;
    const std::uint32_t apart = rest > 0 ? bins / rest : 1;
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < bins; ++i) {
        const bool is_one_of_rest = i % apart == 0 && rest > 0;
        rest -= is_one_of_rest ? 1 : 0;
        sum += std::min(counts[i], rules.limit) + all + (is_one_of_rest ? 1 : 0);
        table[i] = code_of(static_cast<float>(sum) * rules.scale, static_cast<float>(bins - 1));
    }
}

/// Along one axis, the tiles before and after a pixel, and how far it is from the middle of one to the other.
struct Between {
    std::size_t before;
    std::size_t after;
    float share;

    Between(int at, int tile, int tiles) {
        const float place = static_cast<float>(at) * (1.0F / static_cast<float>(tile)) - 0.5F;
        const float whole = std::floor(place);
        share = place - whole;
        before = static_cast<std::size_t>(std::max(static_cast<int>(whole), 0));
        after = static_cast<std::size_t>(std::min(static_cast<int>(whole) + 1, tiles - 1));
    }
};

template <class T>
void map_row(const ClaheTiles& tiles, Image& rows, int row, int y, const TileTables& tables) {
    const PixelCodes<T> codes(tiles);
    const Between down(y, tiles.size.height, tiles.count.height);
    const auto across_count = static_cast<std::size_t>(tiles.count.width);
    const auto largest = static_cast<float>(tiles.bins() - 1);
    for (int x = 0; x < rows.width(); ++x) {
        T* pixel = reinterpret_cast<T*>(rows.row(row)) + x * rows.channels();
        const std::size_t code = codes.code_of(pixel);
        const Between across(x, tiles.size.width, tiles.count.width);
        const auto entry = [&](std::size_t tile_y, std::size_t tile_x) {
            return static_cast<float>(tables[(tile_y * across_count + tile_x) * tiles.bins() + code]);
        };
        const auto between = [&](std::size_t tile_y) {
            return entry(tile_y, across.before) * (1.0F - across.share) +
                   entry(tile_y, across.after) * across.share;
        };
        const float value = between(down.before) * (1.0F - down.share) + between(down.after) * down.share;
        codes.replace(pixel, static_cast<T>(code_of(value, largest)));
    }
}

} // namespace

ClaheTiles::ClaheTiles(const Clahe& op, const Form& form)
    : picture(form), count(op.tiles), size(tile_size(op.tiles, form)), luma(luma_rule(op.luma)),
      limit(limit_of(op.clip, pixels(), max_code(form.depth) + 1)),
      scale(static_cast<float>(max_code(form.depth)) / static_cast<float>(pixels())) {}

int mirrored(int i, int n) {
    const int period = std::max(2 * (n - 1), 1);
    return i < n ? i : std::min(i % period, period - i % period);
}

void count_tiles(const ClaheTiles& tiles, const Image& rows, int first_row, TileCounts& counts) {
    const auto all =
        static_cast<std::size_t>(tiles.count.width) * static_cast<std::size_t>(tiles.count.height);
    counts.resize(tiles.entries());
    parallel_for(all, [&](std::size_t tile) {
        std::uint32_t* const own = counts.data() + tile * tiles.bins();
        if (tiles.picture.depth == Depth::u8) {
            count_tile<std::uint8_t>(tiles, rows, first_row, static_cast<int>(tile), own);
        } else {
            count_tile<std::uint16_t>(tiles, rows, first_row, static_cast<int>(tile), own);
        }
    });
}

TileTables tables_of(const ClaheTiles& tiles, const TileCounts& counts) {
    TileTables tables(counts.size());
    parallel_for(counts.size() / tiles.bins(), [&](std::size_t tile) {
        make_table(tiles, counts.data() + tile * tiles.bins(), tables.data() + tile * tiles.bins());
    });
    return tables;
}

Image map_rows(const ClaheTiles& tiles, Image rows, int first_row, const TileTables& tables) {
    parallel_for(static_cast<std::size_t>(rows.height()), [&](std::size_t row) {
        const int y = static_cast<int>(row);
        if (tiles.picture.depth == Depth::u8) {
            map_row<std::uint8_t>(tiles, rows, y, first_row + y, tables);
        } else {
            map_row<std::uint16_t>(tiles, rows, y, first_row + y, tables);
        }
    });
    return rows;
}

} // namespace glproc
