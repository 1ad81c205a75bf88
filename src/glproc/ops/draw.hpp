// Text, lines, figures and scale bars on an image.
#pragma once

#include "glproc/image/colour.hpp"
#include "glproc/kinds/gather/plan.hpp"
#include "glproc/kinds/point.hpp"
#include "glproc/op/pixel_length.hpp"
#include "glproc/ops/draw/values.hpp"

#include <optional>
#include <string>

namespace glproc {

/// A drawing at one go. Figures that have places of their own lie there; text and scale bars lie at `at`,
/// or where `gravity` says.
///
/// Corners of pixels have whole coordinates for `rect`: 0,0,10,5 are ten columns and five rows, its line
/// within them. Lines, arrows, polygons and the centres of circles go through the middles of the pixels that
/// they name.
struct DrawItem {
    std::string text = {};         ///< UTF-8; "\n" begins a line
    std::string font = "Sans";     ///< a family and a style, as Pango reads them: "DejaVu Serif Bold"
    PixelLength<double> size = 24; ///< of the font, in pixels
    Colour color = {1, 1, 1, 1};   ///< of letters and lines
    std::optional<Colour> outline = std::nullopt; ///< around letters and scale bars
    std::optional<Colour> box = std::nullopt;     ///< behind them
    std::optional<Colour> fill = std::nullopt;    ///< within rectangles, circles and polygons
    PixelLength<double> stroke = 2;               ///< the width of lines; 0: none
    PixelLength<int> wrap = 0;                    ///< the width that text is broken to; 0: it is not
    std::optional<Points> line = std::nullopt;
    std::optional<Points> rect = std::nullopt;
    std::optional<Points> circle = std::nullopt;
    std::optional<Points> arrow = std::nullopt;
    std::optional<Points> polygon = std::nullopt;
    std::optional<Length> scale_bar = std::nullopt;
    std::optional<Length> pixel_size = std::nullopt;
    std::optional<PerAxis<PixelLength<int>>> at = std::nullopt;
    std::optional<Gravity> gravity = std::nullopt;
    PixelLength<int> margin = 10; ///< how far from the edges
    std::string place = {};       ///< in a list, for errors: the file and the line

    bool operator==(const DrawItem&) const = default;
};

/// Draws over an image by `over` of Blend. Letters and figures cover pixels in steps of 1/255; colours have
/// the depth of the image. A colour on a grey image becomes grey. Fonts are the machine's, and so are the
/// shapes of letters: they differ between releases.
struct Draw : DrawItem {
    DrawList from = {};
    PictureFacts picture = {}; ///< for {name} and the like
    PointMethod method = PointMethod::automatic;

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
};

/// Throws Error(usage) for values out of range, for fonts and letters that the machine lacks and for names
/// without a value, Error(operation) where Pango is missing.
Plan plan(const Draw& op, const Form& form);

} // namespace glproc
