// A sheet of small images, with labels below them.
#pragma once

#include "glproc/image/colour.hpp"
#include "glproc/op/picture_facts.hpp"
#include "glproc/op/pixel_length.hpp"
#include "glproc/ops/draw/values.hpp"
#include "glproc/ops/resize.hpp"

#include <optional>
#include <string>
#include <vector>

namespace glproc {

/// How many images lie beside and above each other; 0: as many as it takes.
struct SheetTile {
    int columns = 0;
    int rows = 0;
};

/// Fits each image into a cell by Resize, and copies it there bit for bit, row by row of the sheet. They may differ in
/// size, channels and depth. The sheet is in colour if one of them is, has alpha if one has, and the largest depth.
struct Montage {
    SheetTile tile = {};                             ///< without any it is about as wide as it is high
    NewSize cell = {.width = 256, .height = 256};    ///< both sides, or percent of the first image's; with `only_shrinks` small images stay small
    std::string label = {};                          ///< below each image: {name}, {stem}, {date}, {exif:KEY}
    std::string font = "Sans";
    PixelLength<double> size = 16;              ///< of the font, in pixels
    std::optional<Colour> color = std::nullopt; ///< of labels; without it black, or white on dark
    PixelLength<int> gap = 10;                  ///< pixels between and around cells
    Colour background = {1, 1, 1, 1};
    ResampleFilter filter = ResampleFilter::lanczos3;
    std::vector<RowSource> more = {};                ///< the images after the first one
    std::vector<PictureFacts> files = {};            ///< of all of them, for labels

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
};

/// Works by the processor alone. Throws Error(usage) for values out of range and for more images than cells.
Plan plan(const Montage& op, const Form& form);

/// "5x", "x4" or "5x4". Throws Error(usage).
template <>
struct FieldText<SheetTile> {
    static SheetTile parse(const FieldContext& c, std::string_view text);
    static std::string print(const SheetTile& tile);
    static std::string range(const Limit&) { return "5x, x4 or 5x4"; }
};

} // namespace glproc
