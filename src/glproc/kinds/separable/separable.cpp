#include "glproc/kinds/separable/separable.hpp"

#include "glproc/gl/tuning.hpp"
#include "glproc/kinds/separable/passes.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

/// The fastest method with the exact answer.
constexpr auto exact_filters = tuning<FilterMethod>(
    {{"llvmpipe", 12, FilterMethod::walk,
      "2448x1505 RGB8, sigma 2: walk 27 ms, and 58 until 2026-11-22; direct 234, window 600 (llvmpipe, Mesa "
      "22.3.6, two cores, 2026-11-20)"},
     {"llvmpipe", any_radius, FilterMethod::direct, "see above; the only one without a limit"},
     {"", 16, FilterMethod::window,
      "8192x8192 RGBA8, sigma 2: window 0.81 ms, direct 7.13, tiled 7.60 (NVIDIA H200, driver 580.159.04, "
      "2026-11-22)"},
     {"", any_radius, FilterMethod::direct, "see above; the only one without a limit"}});

/// The fastest method for a box of whole numbers in two passes.
constexpr auto boxes =
    tuning<FilterMethod>({{"llvmpipe", 12, FilterMethod::walk,
                           "2448x1505 RGBA8, straight alpha, radius 8 and 12: walk 30 and 53 ms, fast 75 and "
                           "76 (llvmpipe, Mesa 22.3.6, two cores, 2026-11-22)"},
                          {"llvmpipe", any_radius, FilterMethod::fast,
                           "2448x1505 RGBA8, radius 50: fast 104 ms, direct 841 (llvmpipe, Mesa 22.3.6, two "
                           "busy cores, 2026-11-20)"},
                          {"", 12, FilterMethod::window,
                           "8192x8192 RGBA8, straight alpha, radius 5: window 0.51 ms, fast in two passes "
                           "1.88 (NVIDIA H200, driver 580.159.04, 2026-11-20)"},
                          {"", any_radius, FilterMethod::fast,
                           "8192x8192 RGBA8, straight alpha, radius 15: fast in two passes 1.90 ms, direct "
                           "more than 5.3 (NVIDIA H200, driver 580.159.04, 2026-11-20)"}});

int larger(PerAxis<int> radius) {
    return std::max(radius.x, radius.y);
}

bool can_go_fast(const Form& form, const SeparableFilter& filter) {
    return filter.is_box() ? can_box_fast(form, filter) : can_blur_fast(form, filter);
}

/// Whether a device's registers and shared memory have room for the method.
bool has_room(Context& gpu, const Form& form, const SeparableFilter& filter, FilterMethod method) {
    switch (method) {
    case FilterMethod::walk:
        return can_walk(filter.radius);
    case FilterMethod::window:
        return plan_window(gpu.limits(), form, filter.radius).has_value();
    case FilterMethod::tiled:
        return plan_blocks(gpu.limits(), form, filter.radius).has_value();
    default:
        return true;
    }
}

bool adds_floats(FilterMethod method) {
    return method == FilterMethod::walk || method == FilterMethod::window;
}

/// The method that measured best among those that give the exact answer and can run.
FilterMethod exact_method(Context& gpu, const Form& form, const SeparableFilter& filter) {
    const FilterMethod method = tuned(exact_filters, gpu.device(), larger(filter.radius));
    const bool can_run =
        has_room(gpu, form, filter, method) && (!adds_floats(method) || suits_floats(form, filter));
    return can_run ? method : FilterMethod::direct;
}

} // namespace

FilterMethod chosen_method(Context& gpu, const Form& image, const SeparableFilter& filter) {
    const Form form = working_form(image, filter);
    const bool is_automatic = filter.method == FilterMethod::automatic;
    if (!is_automatic && filter.method != FilterMethod::fast) {
        return filter.method;
    }
    const auto box_goes_fast = [&] {
        return goes_in_strips(gpu, form, filter) ||
               tuned(boxes, gpu.device(), larger(filter.radius)) == FilterMethod::fast ||
               exact_method(gpu, form, filter) == FilterMethod::direct;
    };
    // A box of whole numbers gives the same by either method. Otherwise `fast` has bits of its own: then only
    // sigma or the radius decides, whatever the renderer, so that one command gives one picture everywhere.
    const bool may_go_fast = !is_automatic || !has_whole_sums(form, filter) || box_goes_fast();
    return may_go_fast && can_go_fast(form, filter) ? FilterMethod::fast : exact_method(gpu, form, filter);
}

std::optional<std::string> why_unavailable(Context& gpu, const Form& image, const SeparableFilter& filter) {
    const Form form = working_form(image, filter);
    if (filter.radius == PerAxis<int>(0)) {
        return std::nullopt;
    }
    const std::string what = fmt::format("{} by {} with radius {},{}", filter.name, name_of(filter.method),
                                         filter.radius.x, filter.radius.y);
    if (!has_room(gpu, form, filter, filter.method)) {
        return fmt::format("{} does not fit the registers or the {} bytes of shared memory of {}", what,
                           gpu.limits().shared_bytes, gpu.device().renderer);
    }
    if (adds_floats(filter.method) && !suits_floats(form, filter)) {
        return fmt::format("{} has sums that do not fit the 24 bits of a float", what);
    }
    return std::nullopt;
}

namespace {

/// The filter with the method that it takes for such pictures, folded for the size of `part` if that is allowed.
SeparableFilter with_method(Context& gpu, const Form& form, const SeparableFilter& filter, const Form& part) {
    SeparableFilter result = filter;
    result.method = chosen_method(gpu, form, filter);
    const bool takes_any_radius = result.method == FilterMethod::cpu || result.method == FilterMethod::fast;
    return takes_any_radius ? result : folded(result, part);
}

double row_cost(const Form& form, const SeparableFilter& filter) {
    constexpr double of_fast = 64; // a value, at any radius
    const bool is_fast = goes_fast(working_form(form, filter), filter);
    return double(form.width) * form.channels * (is_fast ? of_fast : 2.0 * filter.radius.x + 2.0 * filter.radius.y + 2);
}

} // namespace

Plan separable_plan(const Form& form, const SeparableFilter& filter) {
    check_border(filter.border, form);
    Plan plan{.shape = {.source = form, .result = form}};
    plan.work.needs = [=](Context& gpu) { return needs_of(gpu, form, with_method(gpu, form, filter, form)); };
    plan.work.why_unavailable = [=](Context& gpu) { return why_unavailable(gpu, form, filter); };
    plan.work.run = [=](Context& gpu, const Part& source, const Rect&) {
        // With the method for the whole picture, whichever tile this is. Folded for this part: a tile is so
        // large that nothing is folded, unless it is the whole; a picture for a check is smaller than the
        // whole.
        return run_by_method(gpu, source.image, with_method(gpu, form, filter, source.image.form()));
    };
    plan.twin.row_cost = row_cost(form, filter);
    plan.twin.run = [form, filter](RowReader& source, RowWriter& to) {
        filter_rows(form, filter, source, to);
    };
    plan.twin.holds_picture = holds_picture(form, filter);
    plan.twin.only_proves = filter.method != FilterMethod::automatic && filter.method != FilterMethod::cpu;
    const int taps = filter.is_box() ? 0 : 2 * (filter.radius.x + filter.radius.y);
    plan.twin.work =
        taps > 128 && !goes_fast(working_form(form, filter), filter) ? taps / 8.0 : 0; // eight at a time
    if (filter.method == FilterMethod::cpu) {
        return on_cpu(std::move(plan));
    }
    return plan;
}

GpuImage run_by_method(Context& gpu, const GpuImage& src, const SeparableFilter& filter) {
    if (filter.radius == PerAxis<int>(0)) {
        return gpu.copy(src, "result"); // bit for bit, the colour of transparent pixels included
    }
    if (filter.linear && src.depth() != Depth::f32) {
        return run_linear(gpu, src, filter);
    }
    if (src.depth() == Depth::f32 && filter.nan == NanMode::skip && has_holes(gpu, src, filter)) {
        return run_around_holes(gpu, src, filter);
    }
    switch (filter.method) {
    case FilterMethod::tiled:
        return run_tiled(gpu, src, filter, plan_blocks(gpu.limits(), src.form(), filter.radius).value());
    case FilterMethod::window:
        return run_window(gpu, src, filter, plan_window(gpu.limits(), src.form(), filter.radius).value());
    case FilterMethod::walk:
        return run_walk(gpu, src, filter);
    case FilterMethod::fast:
        return filter.is_box() ? run_fast_box(gpu, src, filter)
                               : run_fast_blur(gpu, src, filter, fast_road(gpu));
    case FilterMethod::automatic:
    case FilterMethod::cpu:
    case FilterMethod::direct:
        break;
    }
    return run_direct(gpu, src, filter);
}

} // namespace glproc
