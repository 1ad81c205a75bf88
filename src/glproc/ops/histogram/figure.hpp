// A histogram as a figure: axes with ticks and labels, a legend, and translucent columns over each other.
#pragma once

#include "glproc/image/ink.hpp"
#include "glproc/op/field.hpp"
#include "glproc/ops/histogram.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace glproc {

/// Whether channels share the scale of counts.
enum class PlotScale { common, each };

template <>
inline constexpr std::array<EnumRow<PlotScale>, 2> enum_rows<PlotScale>{
    EnumRow{PlotScale::common, "common", "one scale for all channels"},
    EnumRow{PlotScale::each, "each", "each channel up to its own largest bin"},
};

/// The least size of a figure: below it, labels have no room.
inline constexpr PixelSize least_figure{240, 160};

/// A column's height is count x scale in pixels, or (log2(count) + 1) x scale if counts are logarithmic. The
/// axis then begins at one half, so that a single pixel shows.
struct FigureChannel {
    HistogramChannel channel = HistogramChannel::luma;
    double scale = 0; ///< 0 if nothing was counted
};

/// Where a tick of an axis is, in pixels of the figure, and its text.
struct FigureTick {
    double at = 0;
    std::string label;
};

/// All but the columns. Everything is in pixels from the top left corner.
struct Figure {
    PixelSize size;
    Int2 corner{}; ///< of the area of the columns
    PixelSize area;
    double text_size = 0;
    bool logarithmic = false;
    std::vector<FigureChannel> channels;
    std::vector<FigureTick> x_ticks;
    std::vector<FigureTick> y_ticks;
    std::string x_label;
    std::string y_label;

    double right() const { return corner[0] + area.width; }
    double bottom() const { return corner[1] + area.height; }
};

/// The content of a figure.
struct FigureContent {
    Form image;
    Histogram histogram;
    std::vector<std::uint64_t> largest; ///< count of each of the histogram's channels
    PlotScale scale = PlotScale::common;
    bool logarithmic = false;
};

/// Throws Error(usage) for a size below least_figure.
Figure lay_out(const FigureContent& content, const PixelSize& size);

/// Distances in a figure, multiplied by its text size: from its edge, and from its area to the labels.
inline constexpr double figure_margin = 0.9;
inline constexpr double figure_label_gap = 0.75;

/// The colour of a channel's columns, red, green and blue from 0 to 255.
std::array<double, 3> figure_colour(HistogramChannel channel);

/// How much of the colours under it a column hides, and how much its outline, which is darker.
inline constexpr double fill_opacity = 0.42;
inline constexpr double line_opacity = 0.9;
inline constexpr double line_darkness = 0.8; ///< multiplies the colour

/// The figure without its columns: the colours under them, and in alpha the ink that goes over them.
Image paint_frame(const Figure& figure);

/// The figure as SVG. `columns`: the count of each column of each of the figure's channels.
std::string svg_of(const Figure& figure, const std::vector<std::vector<std::uint32_t>>& columns);

} // namespace glproc
