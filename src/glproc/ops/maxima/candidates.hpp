// Pixels that are the largest of the window around them.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/kinds/host_mask.hpp"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace glproc {

/// Which pixels may be maxima.
struct MaximaSearch {
    int distance = 1; ///< the window reaches so far to each side
    int border = 0;   ///< pixels nearer than this to the edges of the picture are left out
    float from = -std::numeric_limits<float>::infinity(); ///< the smallest value, in code units
};

/// An image is some rows of a picture, beginning with `top`. Its rows `first` to `first` + `count` - 1 are
/// searched; the other rows are seen by their windows.
struct SearchedRows {
    int top = 0;
    int picture_height = 0;
    int first = 0;
    int count = 0;
};

struct Candidates {
    HostMask mask;
    float least = std::numeric_limits<float>::infinity(); ///< of the values in those rows
};

/// The first pixel of each plateau of candidates, row by row.
struct FirstPixels {
    struct Point {
        std::uint32_t pixel; ///< its number, row by row
        std::uint32_t bits;  ///< of its value
    };
    std::vector<Point> points = {};
    float least = std::numeric_limits<float>::infinity(); ///< of all values
};

struct PixelPlace {
    int x = 0;
    int y = 0;
};

/// The first channel of `grey` counts, and it has no more than two. NaN and hidden pixels are missing.
Candidates candidates_of(Context& gpu, const GpuImage& grey, const MaximaSearch& search,
                         const SearchedRows& rows);
Candidates candidates_on_cpu(const Image& grey, const MaximaSearch& search, const SearchedRows& rows);

/// The same of a whole picture, of no more rows than most_labelled_rows(): candidates that share a side or a
/// corner belong to one plateau. Only the points come back from the GPU.
FirstPixels first_pixels_of(Context& gpu, const GpuImage& grey, const MaximaSearch& search);
float value_of(const FirstPixels::Point& point, Depth depth);

/// The values of these pixels, in code units.
std::vector<float> values_at(Context& gpu, const GpuImage& grey, std::span<const PixelPlace> places);
std::vector<float> values_at(const Image& grey, std::span<const PixelPlace> places);

/// All values of the first channel, in code units; NaN where a pixel is hidden.
std::vector<float> grey_values(const Image& grey);

} // namespace glproc
