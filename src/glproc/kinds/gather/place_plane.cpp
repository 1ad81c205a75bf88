#include "glproc/kinds/gather/place_plane.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/kinds/border.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

namespace glproc {

namespace {

constexpr ResampleFilter between = ResampleFilter::cubic;

/// Along one axis of the result: where the source has its samples.
struct Line {
    int count = 0;    ///< of the result
    int from = 0;     ///< the first of them on the source's picture; all others are border
    int end = 0;      ///< after the last
    int first = 0;    ///< the source's sample that is moved to the first one
    int moved = 0;    ///< how many are moved
    double begin = 0; ///< where the result's begin among them
    double ratio = 1; ///< how far they are apart

    bool is_exact() const { return ratio == 1 && begin == 0; }
    bool is_inside() const { return from == 0 && end == count; }
    Stretch stretch() const { return {moved, end - from, begin, ratio * (end - from), between}; }
};

/// Samples on one axis of a plane.
struct Spacing {
    int samples;  ///< of luma for one
    double first; ///< where it lies on luma's

    static Spacing across(const PlaneGrid& grid) {
        return {grid.across, grid.across == 2 && grid.centred_across ? 0.5 : 0};
    }
    static Spacing down(const PlaneGrid& grid) {
        return {grid.down, grid.down == 2 && grid.centred_down ? 0.5 : 0};
    }
    int count(int luma) const { return covering(luma, samples); }
};

/// `luma` pixels of the source become `size` of the result, which begins with pixel `first` of the source.
Line line_of(int luma, int size, int first, int step, const Spacing& source, const Spacing& result,
             bool has_border) {
    Line line{.count = result.count(size),
              .end = result.count(size),
              .ratio = double(result.samples) / source.samples};
    const auto place = [&](int sample) {
        return first + step * (result.samples * sample + result.first);
    }; // on luma's
    if (has_border) {
        const auto beyond = [&](int sample) {
            return std::max({0.0, -0.5 - place(sample), place(sample) - luma + 0.5});
        };
        int nearest = 0; // the only one of a picture that lies between two samples
        for (int sample = 1; sample < line.count; ++sample) {
            nearest = beyond(sample) < beyond(nearest) ? sample : nearest;
        }
        line.from = nearest;
        line.end = nearest + 1;
        while (line.end < line.count && beyond(line.end) == 0) {
            ++line.end;
        }
    }
    const double at = (place(line.from) - source.first) / source.samples; // among the source's samples
    line.first = static_cast<int>(step > 0 ? std::floor(at) : std::ceil(at));
    line.moved = line.end - line.from;
    line.begin = step * (at - line.first) + (1 - line.ratio) / 2;
    if (line.ratio != 1 || at != line.first) {
        const int margin = static_cast<int>(std::ceil(reach_of(between) * std::max(line.ratio, 1.0)));
        line.first -= step * margin;
        line.begin += margin;
        line.moved = static_cast<int>(std::ceil(line.ratio * line.moved)) + 2 * margin + 1;
    }
    return line;
}

/// The plan with others in its place where the driver computes it wrongly.
template <class Make>
Plan by_method(GatherMethod method, const Make& make) {
    Plan plan = make(method);
    if (method != GatherMethod::automatic) {
        return plan;
    }
    return with_fallback(std::move(plan), [make] {
        std::vector<std::pair<std::string, Plan>> others;
        for (const GatherMethod other : {GatherMethod::gpu, GatherMethod::cpu}) {
            others.emplace_back(name_of(other), make(other));
        }
        return others;
    });
}

Plan moved(const Form& form, const Placement& placement, std::string_view name, GatherMethod method) {
    return by_method(method, [form, placement, name = std::string(name)](GatherMethod by) {
        return move_plan(form, placement, name, by);
    });
}

Plan between_samples(const Form& form, const Line& x, const Line& y, std::string_view name,
                     GatherMethod method) {
    return by_method(method, [form, resample = Resample{x.stretch(), y.stretch()}, name = std::string(name)](
                                 GatherMethod by) { return resample_plan(form, resample, name, by); });
}

/// The border of a plane, whose constant is a code.
Border border_of_plane(const Border& border, const PlaneGrid& grid) {
    if (border.mode != BorderMode::constant) {
        return border;
    }
    const int code = grid.code_of({border.channel(0), border.channel(1), border.channel(2)});
    return {BorderMode::constant, code / max_code(grid.luma.depth)};
}

} // namespace

std::vector<Plan> place_plane(const PlaneGrid& grid, const Placement& luma, std::string_view name,
                              GatherMethod method) {
    const Form form = grid.form();
    Placement whole = luma;
    whole.move.border = border_of_plane(luma.move.border, grid);
    if (grid.across == 1 && grid.down == 1) {
        return {moved(form, whole, name, method)};
    }
    const bool exchanged = luma.move.exchanged;
    const PlaneGrid after = grid.then({luma.width, luma.height, 1, grid.luma.depth}, exchanged);
    const bool has_border = luma.move.border.mode == BorderMode::constant;
    const auto line = [&](std::size_t axis, int size, const Spacing& result) {
        const bool is_across = axis == 0;
        return line_of(is_across ? grid.luma.width : grid.luma.height, size, luma.move.first.at(axis),
                       luma.move.step.at(axis), is_across ? Spacing::across(grid) : Spacing::down(grid),
                       result, has_border);
    };
    const Line x = line(exchanged ? 1 : 0, luma.width, Spacing::across(after));
    const Line y = line(exchanged ? 0 : 1, luma.height, Spacing::down(after));
    Move move = luma.move;
    move.border = BorderMode::clamp;
    move.first = exchanged ? Int2{y.first, x.first} : Int2{x.first, y.first};
    std::vector<Plan> plans{moved(form, {x.moved, y.moved, move}, name, method)};
    if (!x.is_exact() || !y.is_exact()) {
        plans.push_back(between_samples(plans.back().shape.result, x, y, name, method));
    }
    if (!x.is_inside() || !y.is_inside()) {
        const Move around{.first = {-x.from, -y.from}, .border = whole.move.border};
        plans.push_back(moved(plans.back().shape.result, {x.count, y.count, around}, name, method));
    }
    return plans;
}

} // namespace glproc
