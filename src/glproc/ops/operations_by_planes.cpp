#include "glproc/ops/operations_by_planes.hpp"

#include "glproc/base/error.hpp"
#include "glproc/kinds/gather/place_plane.hpp"
#include "glproc/ops/blur.hpp"
#include "glproc/ops/crop.hpp"
#include "glproc/ops/flip.hpp"
#include "glproc/ops/median.hpp"
#include "glproc/ops/pad.hpp"
#include "glproc/ops/resize.hpp"
#include "glproc/ops/rotate.hpp"
#include "glproc/ops/unsharp.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glproc {

namespace {

[[noreturn]] void refuse(std::string_view what) {
    throw Error(ErrorCode::usage, fmt::format("{} is not for planes of luma and chroma", what),
                "leave --in yuv out");
}

/// A constant border is a colour, which codes of planes are not.
void refuse_constant(const Border& border) {
    if (border.mode == BorderMode::constant) {
        refuse("--border constant");
    }
}

template <class Op>
void check_light(const Op& op) {
    if (op.linear) {
        refuse("--linear");
    }
}

PerAxis<double> on_grid(const PerAxis<double>& sigma, const PlaneGrid& grid) {
    return {sigma.x / grid.across, sigma.y / grid.down};
}

/// Rounded half up, but never to 0.
int radius_on_grid(int radius, int samples) {
    return radius == 0 ? 0 : std::max((radius + samples / 2) / samples, 1);
}

PerAxis<int> on_grid(const PerAxis<int>& radius, const PlaneGrid& grid) {
    return {radius_on_grid(radius.x, grid.across), radius_on_grid(radius.y, grid.down)};
}

Plan blur_plan(Blur op, const PlaneGrid& grid) {
    refuse_constant(op.border);
    check_light(op);
    op.sigma = on_grid(op.sigma, grid);
    if (op.radius) {
        op.radius = on_grid(*op.radius, grid);
    }
    return plan_of(op, grid.form());
}

Plan median_plan(Median op, const PlaneGrid& grid) {
    refuse_constant(op.border);
    if (op.outliers) { // chroma differs by other amounts than colours do
        refuse("--outliers");
    }
    op.radius = on_grid(op.radius, grid);
    return plan_of(op, grid.form());
}

Plan unsharp_plan(Unsharp op, const PlaneGrid& grid) {
    refuse_constant(op.border);
    check_light(op);
    op.sigma = on_grid(op.sigma, grid);
    return plan_of(op, grid.form());
}

/// Of chroma, so that it stays where luma has it. A sample of one that lies on luma is a quarter of its width
/// before its middle, in the source and in the result.
Stretch chroma_stretch(int from, int to, double ratio, int samples, bool centred, ResampleFilter filter) {
    const double first = samples == 2 && !centred ? 0.25 * (1 - ratio) : 0;
    return {from, to, first, ratio * to, filter};
}

Plan resize_plan(Resize op, const PlaneGrid& grid) {
    check_light(op);
    const Plan of_luma = plan_of(op, grid.luma);
    if (grid.across == 1 && grid.down == 1) {
        return of_luma;
    }
    if (op.fill) {
        refuse("--fill");
    }
    const Form from = grid.form();
    const PlaneGrid after{of_luma.shape.result, grid.across, grid.down, grid.centred_across,
                          grid.centred_down};
    const Form to = after.form();
    const double across = double(grid.luma.width) / of_luma.shape.result.width;
    const double down = double(grid.luma.height) / of_luma.shape.result.height;
    const Resample resample{
        chroma_stretch(from.width, to.width, across, grid.across, grid.centred_across, op.filter),
        chroma_stretch(from.height, to.height, down, grid.down, grid.centred_down, op.filter), op.alpha};
    Plan plan = resample_plan(from, resample, "resize", op.method);
    plan.shape.pixels = of_luma.shape.pixels;
    return plan;
}

template <class Op, Plan (*plan)(Op, const PlaneGrid&)>
const ByPlanes& by() {
    static const ByPlanes made{[](const Operation& call, const PlaneGrid& grid) {
                                   return std::vector<Plan>{plan(parameters_of<Op>(call), grid)};
                               },
                               [](const Operation&) { return false; }};
    return made;
}

/// The pixels of a border that is mirrored or repeats have chroma of their own, which lies elsewhere where
/// there are fewer samples. Throws Error(usage), as check_border() for colours.
std::vector<Plan> placed(const PlaneGrid& grid, const Placement& placement, std::string_view name,
                         GatherMethod method) {
    const Border& border = placement.move.border;
    const bool is_plain = border.mode == BorderMode::constant || border.mode == BorderMode::clamp;
    if (!is_plain && (grid.across > 1 || grid.down > 1)) {
        refuse(fmt::format("{} --border {}", name, name_of(border.mode)));
    }
    check_border(border, {grid.luma.width, grid.luma.height, 3, grid.luma.depth});
    return place_plane(grid, placement, name, method);
}

template <class Op, std::vector<Plan> (*plans)(const Op&, const PlaneGrid&)>
const ByPlanes& placing() {
    static const ByPlanes made{
        [](const Operation& call, const PlaneGrid& grid) { return plans(parameters_of<Op>(call), grid); },
        [](const Operation&) { return true; }};
    return made;
}

std::vector<Plan> crop_plans(const Crop& op, const PlaneGrid& grid) {
    return placed(grid, placement_of(op, grid.luma), "crop", op.method);
}

std::vector<Plan> flip_plans(const Flip& op, const PlaneGrid& grid) {
    return placed(grid, placement_of(op, grid.luma), "flip", op.method);
}

std::vector<Plan> pad_plans(const Pad& op, const PlaneGrid& grid) {
    return placed(grid, placement_of(op, grid.luma), "pad", op.method);
}

const ByPlanes& rotating() {
    static const ByPlanes made{[](const Operation& call, const PlaneGrid& grid) {
                                   const auto& op = parameters_of<Rotate>(call);
                                   const std::optional<Placement> placement = placement_of(op, grid.luma);
                                   if (!placement) {
                                       refuse(fmt::format("rotate by {:g} degrees", op.angle));
                                   }
                                   return placed(grid, *placement, "rotate", op.method);
                               },
                               [](const Operation& call) {
                                   const Form any{1, 1, 1, Depth::u8};
                                   return placement_of(parameters_of<Rotate>(call), any).has_value();
                               },
                               "angle"};
    return made;
}

using Row = std::pair<std::string_view, const ByPlanes& (*)()>;
constexpr std::array rows{Row{"blur", &by<Blur, blur_plan>},
                          Row{"crop", &placing<Crop, crop_plans>},
                          Row{"flip", &placing<Flip, flip_plans>},
                          Row{"median", &by<Median, median_plan>},
                          Row{"pad", &placing<Pad, pad_plans>},
                          Row{"resize", &by<Resize, resize_plan>},
                          Row{"rotate", &rotating},
                          Row{"unsharp", &by<Unsharp, unsharp_plan>}};

} // namespace

const ByPlanes* by_planes_of(const OpInfo& op) {
    for (const auto& [name, by_planes] : rows) {
        if (name == op.name) {
            return &by_planes();
        }
    }
    return nullptr;
}

std::string names_by_planes() {
    std::string names;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        names += fmt::format("{}{}", i == 0 ? "" : i + 1 == rows.size() ? " and " : ", ", rows[i].first);
    }
    return names;
}

} // namespace glproc
