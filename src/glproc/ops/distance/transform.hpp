// Exact distances to the nearest site, a set pixel of a mask, on the GPU.
#pragma once

#include "glproc/arrays/distances/metric.hpp"
#include "glproc/kinds/mask_bits.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

namespace glproc {

/// A picture's size and what is to be known of its distances.
struct DistanceForm {
    int width = 0;
    int height = 0;
    /// Euclidean distances are squared, as integers; all others are integers themselves.
    Metric metric = Metric::euclidean;
    /// Which site is the nearest, too; of several the first, row by row. Not with Metric::chessboard, for which the nearest site
    /// of each column does not tell.
    bool sites = false;
    /// Farther sites count as none. Below 1089 = 33 * 33, or 33, that makes it fast wherever sites are few.
    std::uint64_t most_square = std::numeric_limits<std::uint64_t>::max();

    /// Whether squared distances take 64 bits.
    bool is_wide() const;
    /// Bits of a row's number.
    int row_bits() const { return height < 65536 ? 16 : 32; }
};

/// Its name in kernels, see glsl/lib/squares.glsl.
const char* metric_define(Metric metric);

/// The largest squared distance whose root, in double precision, is no larger than this; with other metrics the largest distance.
std::uint64_t square_within(Metric metric, double distance);

/// Rows of a buffer that has so many words for each pixel, as a range that a pass may use. It may begin a few
/// pixels before them.
struct PixelRows {
    BufferRange range;
    std::uint32_t first_pixel; ///< that it begins with
};
PixelRows pixel_rows(const Limits& limits, int width, std::int64_t row, std::int64_t count,
                     std::int64_t pixel_words);
/// How many rows a storage block has room for, one at least.
std::int64_t most_pixel_rows(const Limits& limits, int width, std::int64_t pixel_words);

/// Of each pixel of a band, row by row.
struct Distances {
    int width = 0;
    int height = 0;
    bool is_wide = false;
    Buffer squares;              ///< a word each, or low and high; where there is no site all bits are set
    std::optional<Buffer> sites; ///< column and row, likewise
};

/// For each column the row of the nearest site above a band and of the nearest below it, or ~0: two rows of a
/// picture's width.
using SitesBeyond = std::vector<std::uint32_t>;
SitesBeyond no_sites_beyond(int width);

/// The distances of one band of a picture, from the mask of its sites.
class DistanceTransform {
  public:
    /// `origin`: the picture's row that the band begins with. Keeps `sites` until it ends.
    DistanceTransform(Context& gpu, const DistanceForm& form, MaskBits sites, int origin);

    /// Of each column the last site in the band and the first.
    SitesBeyond ends();

    Distances measure(const SitesBeyond& beyond);

    /// The distances themselves as a picture of floats, without squares in between. Not with DistanceForm::sites.
    GpuImage picture(const SitesBeyond& beyond);

    const MaskBits& sites() const { return sites_; }

    /// Bytes of GPU memory that a pixel of a band takes.
    static double pixel_bytes(const DistanceForm& form);
    /// The most rows of a band.
    static int most_rows(Context& gpu, const DistanceForm& form);

  private:
    struct Strips;

    Pass pass(const char* name, const Defines& defines = {}) const;
    Buffer words(std::int64_t count, const char* label) const;
    Strips strips(const SitesBeyond& beyond) const;
    Buffer rows(const SitesBeyond& beyond) const;
    Pass search(const char* name, const Buffer& nearest, std::int64_t row, Defines defines) const;
    void search_all(const SitesBeyond& beyond, std::int64_t part, const char* roots,
                    const std::function<void(Pass&, std::int64_t row, std::int64_t count)>& store) const;

    Context& gpu_;
    DistanceForm form_;
    MaskBits sites_;
    int origin_;
};

} // namespace glproc
