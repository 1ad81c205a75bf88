// The connected components of a mask: its objects, with a row of measures for each.
#pragma once

#include "glproc/op/level.hpp"
#include "glproc/op/sweep.hpp"
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
enum class ComponentMeasure { area, box, centroid, axes, orientation, eccentricity };

template <>
inline constexpr std::array<EnumRow<ComponentMeasure>, 6> enum_rows<ComponentMeasure>{
    EnumRow{ComponentMeasure::area, "area", "its pixels"},
    EnumRow{ComponentMeasure::box, "box", "left, top, width and height of the smallest box around it"},
    EnumRow{ComponentMeasure::centroid, "centroid", "x and y, the mean position of its pixels"},
    EnumRow{ComponentMeasure::axes, "axes",
            "major and minor, the axes of the ellipse with the same second moments"},
    EnumRow{ComponentMeasure::orientation, "orientation",
            "the angle from the vertical to the major axis in radians, counter-clockwise"},
    EnumRow{ComponentMeasure::eccentricity, "eccentricity", "of that ellipse: 0 for a circle, 1 for a line"},
};

/// How components are found. Both give the same.
enum class ComponentsMethod { automatic, gpu, cpu };

template <>
inline constexpr std::array<EnumRow<ComponentsMethod>, 3> enum_rows<ComponentsMethod>{
    EnumRow{ComponentsMethod::automatic, "auto", "same as gpu"},
    EnumRow{ComponentsMethod::gpu, "gpu", "joins runs of pixels that touch"},
    EnumRow{ComponentsMethod::cpu, "cpu", "fills one object after another: the reference"},
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

/// Finds the components of a mask, and numbers them 1, 2, … in the order of their first pixels, row by row,
/// as scipy.ndimage.label() does.
///
/// Components are left out before they are numbered. First holes are filled, then components at
/// the border go, then those that are too small or too large, and then all but the largest.
///
/// Source: D. Playne, K. Hawick, A new algorithm for parallel connected-component labelling on GPUs, IEEE
/// Trans. Parallel and Distributed Systems 29(6), 2018.
struct Components {
    /// Without it, the mask is where a colour channel is not 0.
    std::optional<MaskThreshold> threshold = std::nullopt;
    Connectivity connectivity = Connectivity::eight;
    std::optional<int> min_area = std::nullopt; ///< pixels, as `max_area`
    std::optional<int> max_area = std::nullopt;
    std::optional<int> largest = std::nullopt; ///< so many; of components of one size the first ones
    bool clear_border = false;                 ///< leaves out components that touch the border of the picture
    bool fill_holes =
        false; ///< holes are background that no way leads out of, among the other 4 or 8 neighbours
    std::vector<ComponentMeasure> measure = {ComponentMeasure::area, ComponentMeasure::box,
                                             ComponentMeasure::centroid};
    ComponentsMethod method = ComponentsMethod::automatic;

    /// The components that are left, in the order of their labels.
    std::vector<ComponentSums> operator()(Context& gpu, const GpuImage& image) const;

    /// The same for a picture of any size.
    std::vector<ComponentSums> operator()(Context& gpu, const RowSource& picture,
                                          const TileProgress& progress = {}) const;
};

/// One sweep; one more for a rule of the threshold, and one for holes.
SweepPlan plan(const Components& op, const Form& form);

} // namespace glproc
