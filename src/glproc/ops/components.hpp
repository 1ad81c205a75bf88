// The connected components of a mask: its objects, with a row of measures for each.
#pragma once

#include "glproc/op/level.hpp"
#include "glproc/op/sweep.hpp"
#include "glproc/ops/components/keep.hpp"
#include "glproc/ops/components/labelling.hpp"
#include "glproc/ops/histogram/split.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glproc {

template <>
inline constexpr std::array<EnumRow<Connectivity>, 2> enum_rows<Connectivity>{
    EnumRow{Connectivity::eight, "8", "pixels that touch at a side or a corner belong together"},
    EnumRow{Connectivity::four, "4", "only pixels that share a side do"},
};

/// Measures of a component, and the columns that they add to the table.
enum class ComponentMeasure {
    area,
    box,
    centroid,
    axes,
    orientation,
    eccentricity,
    roundness,
    extent,
    touches,
    perimeter,
    circularity,
    euler,
    holes,
    hull_area,
    solidity,
    feret_max,
    feret_min,
    feret_angle,
    rect_area,
    rect_length,
    rect_width,
    rect_angle,
    mean,
    min,
    max,
    sum,
    median,
    stddev,
    mode,
    skewness,
};

template <>
inline constexpr std::array<EnumRow<ComponentMeasure>, 30> enum_rows<ComponentMeasure>{
    EnumRow{ComponentMeasure::area, "area", "its pixels"},
    EnumRow{ComponentMeasure::box, "box", "left, top, width and height of the smallest box around it"},
    EnumRow{ComponentMeasure::centroid, "centroid", "x and y, the mean position of its pixels"},
    EnumRow{ComponentMeasure::axes, "axes",
            "major and minor, the axes of the ellipse with the same second moments"},
    EnumRow{ComponentMeasure::orientation, "orientation",
            "the angle from the vertical to the major axis in radians, counter-clockwise"},
    EnumRow{ComponentMeasure::eccentricity, "eccentricity", "of that ellipse: 0 for a circle, 1 for a line"},
    EnumRow{ComponentMeasure::roundness, "roundness",
            "4 area / (pi major^2): 1 for a circle, less for a long object"},
    EnumRow{ComponentMeasure::extent, "extent", "the part of its box that it fills"},
    EnumRow{ComponentMeasure::touches, "touches", "1 if it touches the border of the image, else 0"},
    EnumRow{ComponentMeasure::perimeter, "perimeter",
            "the length of its outline through the centres of pixels"},
    EnumRow{ComponentMeasure::circularity, "circularity",
            "4 pi area / perimeter^2: about 1 for a circle, less for a ragged outline"},
    EnumRow{ComponentMeasure::euler, "euler", "the Euler number: 1 minus the number of holes"},
    EnumRow{ComponentMeasure::holes, "holes", "the number of holes, which have no diagonal way out"},
    EnumRow{ComponentMeasure::hull_area, "hull_area", "the pixels of its convex hull"},
    EnumRow{ComponentMeasure::solidity, "solidity", "the part of its convex hull that it fills"},
    EnumRow{ComponentMeasure::feret_max, "feret_max",
            "its largest diameter, from corner to corner of pixels"},
    EnumRow{ComponentMeasure::feret_min, "feret_min", "its smallest diameter, between parallel lines"},
    EnumRow{ComponentMeasure::feret_angle, "feret_angle",
            "the direction of the largest diameter, counter-clockwise from the x axis"},
    EnumRow{ComponentMeasure::rect_area, "rect_area",
            "the area of the smallest rectangle around it, turned as it fits"},
    EnumRow{ComponentMeasure::rect_length, "rect_length", "the long side of that rectangle"},
    EnumRow{ComponentMeasure::rect_width, "rect_width", "its short side"},
    EnumRow{ComponentMeasure::rect_angle, "rect_angle",
            "the direction of its long side, counter-clockwise from the x axis"},
    EnumRow{ComponentMeasure::mean, "mean", "the mean of --with over its pixels, for each channel"},
    EnumRow{ComponentMeasure::min, "min", "the smallest value of --with"},
    EnumRow{ComponentMeasure::max, "max", "the largest value of --with"},
    EnumRow{ComponentMeasure::sum, "sum", "the sum of the values of --with"},
    EnumRow{ComponentMeasure::median, "median", "the value of --with in the middle, or the mean of two"},
    EnumRow{ComponentMeasure::stddev, "stddev", "the standard deviation of --with, over n"},
    EnumRow{ComponentMeasure::mode, "mode", "the most frequent value of --with"},
    EnumRow{ComponentMeasure::skewness, "skewness", "how lopsided the values of --with are: 0 if evenly"},
};

/// The content of a picture of the components.
enum class ComponentsOutput { mask, labels };

template <>
inline constexpr std::array<EnumRow<ComponentsOutput>, 2> enum_rows<ComponentsOutput>{
    EnumRow{ComponentsOutput::mask, "mask", "objects in white on black"},
    EnumRow{ComponentsOutput::labels, "labels", "the number of its object in each pixel, at 16 bits"},
};

/// Whether numbers are drawn beside outlines.
enum class OverlayNumbers { on, off };

template <>
inline constexpr std::array<EnumRow<OverlayNumbers>, 2> enum_rows<OverlayNumbers>{
    EnumRow{OverlayNumbers::on, "on", "over the middle of each object"},
    EnumRow{OverlayNumbers::off, "off", "outlines alone"},
};

/// How components are found. All give the same.
enum class ComponentsMethod { automatic, gpu, runs, cpu };

template <>
inline constexpr std::array<EnumRow<ComponentsMethod>, 4> enum_rows<ComponentsMethod>{
    EnumRow{ComponentsMethod::automatic, "auto", "gpu, or runs where that is faster"},
    EnumRow{ComponentsMethod::gpu, "gpu", "joins runs of pixels that touch"},
    EnumRow{ComponentsMethod::runs, "runs", "joins runs of pixels that touch, on all cores"},
    EnumRow{ComponentsMethod::cpu, "cpu", "the processor, with the bits of the kernels"},
};

/// Which pixels belong to the mask: those with luma above a level, or above the level that a rule chooses.
struct MaskThreshold {
    Level at = 0.5;
    std::optional<SplitRule> rule = std::nullopt; ///< instead of `at`
};

/// "V", or the name of a rule.
template <>
struct FieldText<MaskThreshold> {
    static MaskThreshold parse(const FieldContext& c, std::string_view text);
    static std::string print(const MaskThreshold& value);
    static std::string range(const Limit&);
    static std::vector<Choice> choices() { return FieldText<SplitRule>::choices(); }
};

/// "a,b,c". Help is short of room for all names.
template <>
struct FieldText<std::vector<ComponentMeasure>> {
    static std::vector<ComponentMeasure> parse(const FieldContext& c, std::string_view text);
    static std::string print(const std::vector<ComponentMeasure>& measures);
    static std::string range(const Limit&) { return "see --help=all"; }
    static std::vector<Choice> choices() { return FieldText<ComponentMeasure>::choices(); }
};

/// Finds the components of a mask, and numbers them 1, 2, … in the order of their first pixels, row by row,
/// as scipy.ndimage.label() does.
///
/// Components are left out before they are numbered. First holes are filled. Then components at the border
/// go, those that are too small or too large, and those that the filter leaves out. Last go all but the
/// largest.
///
/// Source: D. Playne, K. Hawick, A new algorithm for parallel connected-component labelling on GPUs, IEEE
/// Trans. Parallel and Distributed Systems 29(6), 2018.
struct Components {
    /// Without it, the mask is where a colour channel is not 0. Fully transparent pixels are never set.
    std::optional<MaskThreshold> threshold = std::nullopt;
    Connectivity connectivity = Connectivity::eight;
    std::optional<int> min_area = std::nullopt; ///< pixels, as `max_area`
    std::optional<int> max_area = std::nullopt;
    std::optional<ComponentFilter> keep =
        std::nullopt;                          ///< by any measures, also those that are not in `measure`
    std::optional<int> largest = std::nullopt; ///< so many; of components of one size the first ones
    bool clear_border = false;                 ///< leaves out components that touch the border of the picture
    bool fill_holes =
        false; ///< holes are background that no way leads out of, among the other 4 or 8 neighbours
    std::vector<ComponentMeasure> measure = {ComponentMeasure::area, ComponentMeasure::box,
                                             ComponentMeasure::centroid};
    PictureInput with = {};                                ///< whose values are measured, of the same size
    std::optional<ComponentsOutput> output = std::nullopt; ///< of a picture; mask unless given
    PictureInput overlay = {}; ///< instead of `output`: of the same size; the outlines are drawn on it
    Colour outline = {1, 1, 0};
    OverlayNumbers numbers = OverlayNumbers::on; ///< in the same colour
    ComponentsMethod method = ComponentsMethod::automatic;

    /// The components that are left, in the order of their labels.
    std::vector<ComponentSums> operator()(Context& gpu, const GpuImage& image) const;

    /// The same for a picture of any size.
    std::vector<ComponentSums> operator()(Context& gpu, const RowSource& picture,
                                          const TileProgress& progress = {}) const;
};

/// The table: one sweep, and one more for a rule of the threshold, for holes, and for measures that need the
/// labels.
SweepPlan plan(const Components& op, const Form& form);

/// The mask of the objects with their holes filled, and nothing else: two sweeps.
SweepPlan filled_plan(const Components& op, const Form& form);

/// The labels as u32, and the picture that `overlay` and `output` describe: one more sweep.
SweepPlan labels_plan(const Components& op, const Form& form);
SweepPlan picture_plan(const Components& op, const Form& form);

} // namespace glproc
