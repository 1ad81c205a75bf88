// The needs of a picture's tiles, for each method of the separable filters.
#include "glproc/base/covering.hpp"
#include "glproc/kinds/separable/passes.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace glproc {

namespace {

/// Along x kernels work by texels, and read a whole one if a radius ends within it.
int halo_of_texels(int radius, int pixels) {
    return (covering(radius, pixels) + 1) * pixels;
}

/// Adds channel values that are stored between passes, `share` of them for each of the picture's.
void add_scratch(TileNeeds& needs, const Form& form, Depth depth, double share = 1) {
    const int channels = stored_channels(form.channels);
    needs.texel_pixels = std::min(needs.texel_pixels, pixels_per_texel(channels, depth));
    needs.pixel_bytes += share * channels * static_cast<double>(bytes_of(depth));
}

int round_up(int reach, int grain) {
    return covering(reach, grain) * grain;
}

/// Tiles begin where samples do.
void set_fast_blur(TileNeeds& needs, const Form& form, const SeparableFilter& filter, FastRoad road) {
    const std::vector<FastAxis> axes = plan_fast_axes(form.depth, filter);
    // Along x whole texels of samples, so that tiles have them where the whole picture does.
    needs.grain = {axes[0].factor() * pixels_per_texel(stored_channels(form.channels), Depth::f32),
                   axes[1].factor()};
    needs.halo = {round_up(axes[0].reach(), needs.grain.x), round_up(axes[1].reach(), needs.grain.y)};
    // Samples, the values between the passes that blur them, and the blurred samples.
    add_scratch(needs, form, Depth::f32, 4.0 / (axes[0].levels[0].stride * axes[1].levels[0].stride));
    if (road == FastRoad::walk) { // sums along y
        add_scratch(needs, form, Depth::f32, 1.0 / axes[1].levels[0].stride);
    }
    needs.pixel_work = 100;
}

} // namespace

TileNeeds needs_of(Context& gpu, const Form& image, const SeparableFilter& filter) {
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
        const int reach = plan_window(gpu.limits(), form, radius).value().radius;
        needs.halo = {halo_of_texels(reach, pixels), reach};
        break;
    }
    case FilterMethod::fast:
        if (filter.is_box()) {
            add_scratch(needs, form, fast_sum_depth(form, filter));
            needs.pixel_work = 4 * channels;
            if (form.depth == Depth::f32) {
                needs.grain = box_of_floats_grain(radius);
                needs.halo = {round_up(radius.x, needs.grain.x), round_up(radius.y, needs.grain.y)};
            }
        } else {
            set_fast_blur(needs, form, filter, fast_road(gpu));
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
        add_scratch(needs, form, Depth::f32, 2); // run_around_holes()
    }
    return needs;
}

} // namespace glproc
