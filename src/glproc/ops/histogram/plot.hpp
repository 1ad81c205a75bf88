// The plot of a histogram, drawn on the GPU.
#pragma once

#include "glproc/ops/histogram.hpp"
#include "glproc/ops/histogram/figure.hpp"

#include <array>
#include <optional>
#include <string>

namespace glproc {

inline constexpr Limit plot_size_limit{1, 16384};

/// How a plot looks.
enum class PlotStyle { figure, seed };

template <>
inline constexpr std::array<EnumRow<PlotStyle>, 2> enum_rows<PlotStyle>{
    EnumRow{PlotStyle::figure, "figure", "axes, ticks, labels and a legend, in muted colours on white"},
    EnumRow{PlotStyle::seed, "columns", "bare columns on black in additive colours: red and green make yellow"},
};

/// Counts an image and draws the counts on the GPU, without reading them back: an RGB image of 8 bits.
///
/// figure: all channels over each other in one area, see histogram/figure.hpp. If the area is narrower than
/// the histogram, a column of pixels shows the largest of its bins.
///
/// seed: r, g, b and a share a panel. Each of its pixels has the colour of the set of channels whose column
/// reaches it. Red and green make yellow, all three grey, none black. Alpha lightens the others, and is
/// orange alone. Luma has a panel of its own, in white, below the panel of the other channels if there are
/// any. A column is count x max(1 / largest count, 0.2 x bins / pixels) of the panel's height. It is capped
/// at that height, and rounded to whole pixels, halves up. In a panel W wide, column x shows bin floor(x x
/// bins / W). If the panel is narrower than the histogram, it shows the largest of the bins between that bin
/// and the first of the next column.
struct HistogramPlot {
    Histogram histogram = {}; ///< the channels, bins and range that are counted
    std::optional<PixelSize> size =
        {}; ///< of a figure (640 x 400), or of a seed's panel (a column a bin, 100 high)
    PlotStyle style = PlotStyle::figure;
    PlotScale scale = PlotScale::common; ///< of a figure
    bool logarithmic = false;            ///< a figure's counts; not together with PlotScale::each

    /// Throws as Histogram does, and Error(usage) for a size out of range.
    GpuImage operator()(Context& gpu, const GpuImage& image) const;

    /// Draws the counts that count_on_gpu_buffer() or upload_counts() of histogram/count.hpp left on the GPU.
    GpuImage draw(Context& gpu, const Form& image, const Buffer& counts) const;

    /// The figure as SVG, from the same.
    std::string svg(Context& gpu, const Form& image, const Buffer& counts) const;
};

} // namespace glproc
