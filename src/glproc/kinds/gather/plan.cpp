#include "glproc/kinds/gather/plan.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

double bytes_per_pixel(const Form& form) {
    return 16.0 / pixels_per_texel(form);
}

Plan with_method(Plan plan, GatherMethod method) {
    return method == GatherMethod::cpu ? on_cpu(std::move(plan)) : plan;
}

} // namespace

Int2 place_of(Gravity gravity, int room_x, int room_y) {
    const auto is = [gravity](std::initializer_list<Gravity> some) {
        return std::find(some.begin(), some.end(), gravity) != some.end();
    };
    using enum Gravity;
    const auto along = [](int room, bool first, bool last) { return first ? 0 : last ? room : room >> 1; };
    return {along(room_x, is({northwest, west, southwest}), is({northeast, east, southeast})),
            along(room_y, is({northwest, north, northeast}), is({southwest, south, southeast}))};
}

void check_size(std::string_view name, std::int64_t width, std::int64_t height) {
    const auto is_valid = [](std::int64_t n) {
        return double(n) >= size_limit.low && double(n) <= size_limit.high;
    };
    if (!is_valid(width) || !is_valid(height)) {
        throw Error(
            ErrorCode::usage, fmt::format("{} to {}x{} is out of range", name, width, height),
            fmt::format("width and height are {:.0f} to {:.0f} pixels", size_limit.low, size_limit.high));
    }
}

namespace {

/// A plan that needs memory only for source and result.
Plan plain_plan(const Form& form, int width, int height, const Border& border, std::string_view name,
                double work) {
    check_size(name, width, height);
    check_border(border, form);
    Plan plan{.shape = {.source = form, .result = {width, height, form.channels, form.depth}}};
    plan.work.needs = [form, work, what = std::string(name),
                       repeats = border.mode == BorderMode::wrap](Context&) {
        return TileNeeds{.what = what,
                         .repeats = repeats,
                         .texel_pixels = pixels_per_texel(form),
                         .pixel_bytes = bytes_per_pixel(form),
                         .pixel_work = work};
    };
    return plan;
}

/// The size of probes, which run the programs of larger pictures (op/proof.hpp).
constexpr int probe_side = 67;
constexpr int affine_probe_side = 211; // so that a strip of 128 pixels lies within, however it is turned
constexpr int probe_source = 2048; // pixels of the longest line

Form small_form(const Form& form, int side) {
    return {std::min(form.width, side), std::min(form.height, side), form.channels, form.depth};
}

/// A shorter stretch by the same ratio.
Stretch probe_of(Stretch stretch) {
    const double share = std::min(1.0, double(probe_side) / stretch.to);
    const double from = std::clamp(std::round(stretch.from * share), 1.0, double(probe_source));
    stretch.begin *= from / stretch.from;
    stretch.length *= from / stretch.from;
    stretch.from = static_cast<int>(from);
    stretch.to = std::max(static_cast<int>(std::round(stretch.to * share)), 1);
    return stretch;
}

Move probe_of(Move move, const Form& form) {
    const auto first = [](int step, int old, int size) { return step > 0 ? std::clamp(old, -8, 8) : size - 1; };
    move.first = {first(move.step[0], move.first[0], form.width), first(move.step[1], move.first[1], form.height)};
    return move;
}

/// The same map about the middle; for any other than an affine one, a map that bends. Points a little off the centres of
/// pixels would give transparent pixels weights of almost nothing, and so colours that the last bits decide.
Affine probe_of(Affine affine, const Form& form) {
    if (affine.map) {
        const auto bent = [](int x, int y, std::span<Double2> points) {
            for (std::size_t i = 0; i < points.size(); ++i) {
                const double column = x + static_cast<double>(i);
                points[i] = {column * 0.9 + y * y * 0.01 - 3, y * 1.1 - column * 0.2};
            }
        };
        const Int2 size{form.width * affine.samples, form.height * affine.samples};
        affine.map = std::make_shared<const PointMap>(bent, form, affine.border.mode, size);
        return affine;
    }
    if (affine.is_perspective()) { // a mild one
        affine.depth = {1, 0.004 / affine.samples, 0.002 / affine.samples};
    }
    for (std::size_t i = 0; i < 2; ++i) {
        const double middle = (i == 0 ? form.width : form.height) / 2.0;
        const double off = i == 0 ? 0.3183 : 0.1416;
        affine.origin[i] = middle + off - affine.samples * (affine.right[i] * form.width + affine.down[i] * form.height) / 2.0;
    }
    return affine;
}

} // namespace

Plan move_plan(const Form& form, const Placement& placement, std::string_view name, GatherMethod method) {
    const Move& move = placement.move;
    Plan plan = plain_plan(form, placement.width, placement.height, move.border, name, 1);
    plan.work.cutting =
        GatheredTiles{[form, move](const Rect& result) { return source_of(move, form, result); }};
    plan.work.run = [form, move](Context& gpu, const Part& source, const Rect& result) {
        return run_move(gpu, move, form, source.image, source.rect, result);
    };
    plan.shape.pixels.turned = move.exchanged;
    plan.twin.run = [move, result = plan.shape.result](RowReader& source, RowWriter& to) {
        move_rows(move, result, source, to);
    };
    plan.twin.only_proves = method == GatherMethod::gpu;
    plan.twin.holds_picture = holds_picture(move, form, plan.shape.result);
    plan.proof.probe = [small = small_form(form, probe_side), move, name = std::string(name), method] {
        const Int2 size = move.exchanged ? Int2{small.height, small.width} : Int2{small.width, small.height};
        return move_plan(small, {size[0], size[1], probe_of(move, small)}, name, method);
    };
    return with_method(std::move(plan), method);
}

Plan affine_plan(const Form& form, int width, int height, const Affine& affine, std::string_view name,
                 GatherMethod method) {
    const double taps = taps_of(affine);
    const double work =
        taps * (taps + 1) * stored_channels(form.channels) * affine.samples * affine.samples;
    Plan plan = plain_plan(form, width, height, affine.border, name, work);
    plan.work.cutting =
        GatheredTiles{[form, affine](const Rect& result) { return source_of(affine, form, result); }};
    plan.work.run = [form, affine](Context& gpu, const Part& source, const Rect& result) {
        return run_affine(gpu, affine, form, source.image, source.rect, result);
    };
    set_by_processor(
        plan, [affine, width, height](const Image& source) { return mapped(affine, source, width, height); },
        4 * work * width);
    plan.twin.work = 26 * taps * (taps + 1) * affine.samples * affine.samples; // one value at a time
    plan.twin.only_proves = method == GatherMethod::gpu;
    plan.proof.probe = [small = small_form(form, affine_probe_side), affine, name = std::string(name),
                        method] {
        return affine_plan(small, small.width, small.height, probe_of(affine, small), name, method);
    };
    return with_method(std::move(plan), method);
}

Plan resample_plan(const Form& form, const Resample& resample, std::string_view name, GatherMethod method) {
    check_size(name, resample.x.to, resample.y.to);
    Plan plan{.shape = {.source = form, .result = resample.result_of(form)}};
    plan.work.needs = [form, resample, what = std::string(name)](Context&) {
        const Form between{resample.x.to, form.height, form.channels, between_depth(resample, form)};
        const double pixels = double(form.width) * form.height + double(resample.x.to) * resample.y.to;
        const double share = double(between.width) * between.height / pixels;
        return TileNeeds{.what = what,
                         .texel_pixels = std::min(pixels_per_texel(form), pixels_per_texel(between)),
                         .pixel_bytes = bytes_per_pixel(form) + share * bytes_per_pixel(between),
                         .pixel_work = resample_row_cost(resample, stored_channels(form.channels)) /
                                       std::max(resample.x.to, 1)};
    };
    plan.work.cutting = GatheredTiles{[resample](const Rect& result) { return source_of(resample, result); }};
    plan.work.run = [resample](Context& gpu, const Part& source, const Rect& result) {
        return run_resample(gpu, resample, source.image, source.rect, result);
    };
    plan.twin.row_cost = resample_row_cost(resample, form.channels);
    plan.twin.run = [resample](RowReader& source, RowWriter& to) { resample_rows(resample, source, to); };
    plan.twin.only_proves = method == GatherMethod::gpu;
    plan.proof.probe = [form, resample, name = std::string(name), method] {
        Resample small = resample;
        small.x = probe_of(resample.x);
        small.y = probe_of(resample.y);
        return resample_plan({small.x.from, small.y.from, form.channels, form.depth}, small, name, method);
    };
    return with_method(std::move(plan), method);
}

} // namespace glproc
