#include "glproc/gl/tuning.hpp"
#include "glproc/kinds/kept.hpp"
#include "glproc/kinds/separable/fast_steps.hpp"

#include <algorithm>
#include <deque>
#include <string_view>

namespace glproc {

namespace {

constexpr auto fast_roads = tuning<FastRoad>(
    {{"llvmpipe", any_radius, FastRoad::walk,
      "2448x1505 RGBA8, sigma 10: walk 31 ms, groups 86 (llvmpipe, Mesa 22.3.6, two cores, 2026-11-22)"},
     {"", any_radius, FastRoad::groups,
      "8192x8192 RGBA8, sigma 10: groups 0.67 ms; walk not measured (NVIDIA H200, driver 580.159.04, "
      "2026-11-22)"}});

/// Samples for 8-bit results may have a larger error.
int width_for(Depth depth) {
    return depth == Depth::u8 ? 5 : 6;
}

GpuImage blurred_samples(const FastBlur& blur, const GpuImage& samples) {
    SeparableFilter between = filter_of_samples(blur.axes);
    between.method = chosen_method(blur.gpu, samples.form(), between);
    return run_by_method(blur.gpu, samples, between);
}

/// Blurs `from` by way of its samples.
GpuImage blurred(const FastBlur& blur, FastRoad road, std::size_t level, const GpuImage& from,
                 std::string_view label) {
    const BorderMode border = level == 0 ? blur.filter.border.mode : BorderMode::clamp;
    const FastSamples columns = samples_of(blur.x(), level, from.width(), border);
    const FastSamples rows = samples_of(blur.y(), level, from.height(), border);
    const Int2 first{columns.first, rows.first};
    const Form form{columns.count, rows.count, from.channels(),
                    level == 0 ? sample_depth(from.form(), blur.filter) : Depth::f32};
    const bool walks = road == FastRoad::walk;
    GpuImage samples = blur.gpu.make_image(form, "blur.samples");
    (walks ? walk_down : go_down_in_groups)({blur, level, first, from, samples});
    const GpuImage between = level + 1 < blur.x().levels.size()
                                 ? blurred(blur, road, level + 1, samples, "blur.blurred")
                                 : blurred_samples(blur, samples);
    GpuImage to = blur.gpu.make_image(from.form(), label);
    (walks ? walk_up : go_up_in_groups)({blur, level, first, between, to});
    return to;
}

bool is_reduced(double sigma) {
    return sigma >= least_fast_sigma;
}

/// Whether it costs less than direct passes, whose cost depends on the radius, or on the image's size if that
/// is less.
bool is_worth_it(const Form& form, const SeparableFilter& filter) {
    const bool ends = filter.border.mode == BorderMode::clamp || filter.border.mode == BorderMode::constant;
    const auto extended = [&](int size, double sigma) {
        return size + (ends ? std::min(8 * sigma, 100.0) : 16 * sigma);
    };
    const auto reach = [](int size, int radius) { return 2.0 * std::min(size, radius); };
    return extended(form.width, filter.sigma.x) * extended(form.height, filter.sigma.y) * 8 <
           double(form.width) * form.height *
               (reach(form.width, filter.radius.x) + reach(form.height, filter.radius.y));
}

/// Making a plan takes the CPU as long as a blur takes a GPU.
FastAxis kept_axis(double sigma, int width) {
    struct Kept {
        double sigma;
        int width;
        FastAxis axis;
    };
    static thread_local std::deque<Kept> kept;
    const auto is_wanted = [&](const Kept& one) { return one.sigma == sigma && one.width == width; };
    return kept_or_made(kept, is_wanted,
                        [&] {
                            return Kept{sigma, width, plan_fast_axis(sigma, width)};
                        })
        .axis;
}

} // namespace

FastSamples samples_of(const FastAxis& axis, std::size_t level, int size, BorderMode border) {
    const bool ends = border == BorderMode::clamp || border == BorderMode::constant;
    const int beyond = ends ? 1 : axis.reach(level + 1);
    const int first = -(axis.width - 1) - beyond;
    return {first, floor_div(size - 1, axis.levels[level].stride) + beyond - first + 1};
}

// Codes of 16 bits are a hundred times finer than results of 8 bits need. They are not fine enough if they
// are divided by alpha.
Depth sample_depth(const Form& form, const SeparableFilter& filter) {
    const bool is_divided = form.has_alpha() && filter.alpha == AlphaMode::premultiply;
    return form.depth == Depth::u8 && !is_divided && !filter.sharpening ? Depth::u16 : Depth::f32;
}

SeparableFilter filter_of_samples(const std::vector<FastAxis>& axes) {
    return {.name = "blur.samples",
            .radius = {static_cast<int>(axes[0].middle.size()) - 1, static_cast<int>(axes[1].middle.size()) - 1},
            .taps_x = axes[0].middle,
            .taps_y = axes[1].middle,
            .alpha = AlphaMode::straight,
            .nan = NanMode::propagate};
}

std::vector<FastAxis> plan_fast_axes(Depth depth, const SeparableFilter& filter) {
    const auto plan = [&](double sigma, const std::vector<double>& taps) {
        const int width = width_for(depth);
        return is_reduced(sigma) ? kept_axis(sigma, width) : FastAxis{width, {}, taps};
    };
    std::vector<FastAxis> axes{plan(filter.sigma.x, filter.taps_x)};
    axes.push_back(filter.sigma.x == filter.sigma.y && filter.taps_x == filter.taps_y
                       ? axes[0]
                       : plan(filter.sigma.y, filter.taps_y));
    axes[0].extend(axes[1].levels.size());
    axes[1].extend(axes[0].levels.size());
    return axes;
}

bool can_blur_fast(const Form& form, const SeparableFilter& filter) {
    // A Gaussian that is cut short is no Gaussian, and one that is not reduced would spread infinities.
    const auto fits = [&](double sigma, int radius) {
        return is_reduced(sigma) ? radius >= static_cast<int>(4 * sigma + 0.5)
                                 : form.depth != Depth::f32 || filter.nan == NanMode::skip;
    };
    return (is_reduced(filter.sigma.x) || is_reduced(filter.sigma.y)) &&
           fits(filter.sigma.x, filter.radius.x) && fits(filter.sigma.y, filter.radius.y) &&
           is_worth_it(form, filter);
}

FastRoad fast_road(Context& gpu) {
    return tuned(fast_roads, gpu.device());
}

GpuImage run_fast_blur(Context& gpu, const GpuImage& src, const SeparableFilter& filter, FastRoad road) {
    return blurred({gpu, src, filter, plan_fast_axes(src.depth(), filter)}, road, 0, src, "result");
}

} // namespace glproc
