// What the methods of separable filters need where their pictures are cut.
#include "glproc/ops/separable_passes.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace glproc {

namespace {

/// Along x kernels go by texels, and look at a whole one where a radius ends within it.
int halo_of_texels(int radius, int pixels) {
    return ((radius + pixels - 1) / pixels + 1) * pixels;
}

/// Channel values that lie between passes, `share` of them for each of the picture's.
void add_scratch(TileNeeds& needs, const Form& form, Depth depth, double share = 1) {
    const int channels = stored_channels(form.channels);
    needs.texel_pixels = std::min(needs.texel_pixels, pixels_per_texel(channels, depth));
    needs.pixel_bytes += share * channels * static_cast<double>(bytes_of(depth));
}

/// Tiles begin where means do.
void set_fast_blur(TileNeeds& needs, const Form& form, const SeparableFilter& filter) {
    const auto plan = [](const std::vector<double>& taps, double sigma) {
        const int factor = plan_fast_axis(taps, sigma, 1).factor;
        return plan_fast_axis(taps, sigma, factor);
    };
    const FastAxis x = plan(filter.taps_x, filter.sigma.x);
    const FastAxis y = plan(filter.taps_y, filter.sigma.y);
    needs.grain = {x.factor, y.factor};
    needs.halo = {fast_reach(x), fast_reach(y)};
    // Means along y, of which those along x are made, and those that are spread along x again.
    const double means = 1.0 / y.reductions.front().factor;
    add_scratch(needs, form, Depth::f32, means + means * 1.5 / x.reductions.front().factor + 1.0 / y.factor);
    needs.pixel_work = 100;
}

} // namespace

TileNeeds needs_of(const Limits& limits, const Form& image, const SeparableFilter& filter) {
    const PerAxis<int> radius = filter.radius;
    const Form form = working_form(image, filter);
    const int pixels = pixels_per_texel(image);
    const double channels = stored_channels(form.channels);
    TileNeeds needs{.what = fmt::format("{} with radius {},{}", filter.name, radius.x, radius.y),
                    .halo = {halo_of_texels(radius.x, pixels), radius.y},
                    .grain = {pixels, 1},
                    .repeats = filter.border.mode == BorderMode::wrap,
                    .texel_pixels = pixels,
                    .pixel_bytes = 2 * channels * static_cast<double>(bytes_of(image.depth)),
                    .pixel_work = channels * (2.0 * radius.x + 2.0 * radius.y + 2)};
    if (radius == PerAxis<int>(0)) {
        needs.halo = 0;
        return needs;
    }
    if (filter.linear) {
        add_scratch(needs, form, Depth::f32, 2);
    }
    switch (filter.method) {
    case FilterMethod::walk:
        needs.halo = {halo_of_texels(walk_radius(radius), pixels), walk_radius(radius)};
        break;
    case FilterMethod::window: {
        const int reach = plan_window(limits, form, radius).value().radius;
        needs.halo = {halo_of_texels(reach, pixels), reach};
        break;
    }
    case FilterMethod::fast:
        if (filter.is_box()) {
            add_scratch(needs, form, fast_sum_depth(form, filter));
            needs.pixel_work = 4 * channels;
        } else {
            set_fast_blur(needs, form, filter);
        }
        break;
    case FilterMethod::automatic:
    case FilterMethod::direct:
        add_scratch(needs, form, Depth::f32);
        break;
    case FilterMethod::cpu:
    case FilterMethod::tiled:
        break;
    }
    if (image.depth == Depth::f32 && filter.nan == NanMode::skip) {
        needs.pixel_bytes *= 3; // of two filters, and what goes in
    }
    return needs;
}

} // namespace glproc
