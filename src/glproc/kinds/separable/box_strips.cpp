#include "glproc/base/covering.hpp"
#include "glproc/gl/tuning.hpp"
#include "glproc/kinds/separable/passes.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace glproc {

namespace {

constexpr int rows_a_turn = 2;          // ROWS of glsl/kinds/separable/box_strip.comp, at most
constexpr std::int64_t full_gpu = 132;  // multiprocessors of the largest GPU measured
constexpr double whole_floats = 0x1p24; // below this, floats are exact
constexpr double whole_words = 0x1p32;

/// Whether weighted colour takes a strip for each warp, or for larger groups.
constexpr auto weighs_by_warps =
    tuning<bool>({{"", 15, true,
                   "8192x8192 RGBA8, alpha premultiplied, radius 15: a strip for each warp 0.463 ms, for "
                   "groups of 160 0.70, in two passes 3.1 (NVIDIA H200, driver 580.159.04, 2026-11-22)"},
                  {"", any_radius, false,
                   "the same with radius 100: in strips 0.612 ms, in two passes 3.1 (NVIDIA H200, driver "
                   "580.159.04, 2026-11-22)"}});

/// Texels that a group loads and stores of a row, and the number of groups that was best for 8192 x 8192
/// pixels.
struct Shape {
    int group;
    int units;
    std::int64_t groups;
    int most_radius() const { return (group - units) / 2 * 4 - 1; } // along x
};
constexpr std::array shapes{Shape{160, 128, 16 * full_gpu}, Shape{320, 256, 2 * full_gpu}};

/// Rows of a group. The first row of a strip costs as much as `radius` others: long strips save that, many
/// strips fill the GPU.
int rows_of(const Shape& shape, int radius, int height, std::int64_t strips) {
    const auto share = [&](std::int64_t groups) { return static_cast<int>(height * strips / groups) + 1; };
    const int least = share(shape.groups);
    const int rows = std::clamp(2 * radius, least, std::max(least, share(full_gpu)));
    return covering(std::max(rows, 16), rows_a_turn) * rows_a_turn;
}

bool is_weighted(const Form& form, const SeparableFilter& filter) {
    return form.has_alpha() && filter.alpha == AlphaMode::premultiply;
}

/// Supplies the values that both kernels need.
void supply_strips(Pass& pass, const GpuImage& src, const SeparableFilter& filter, int rows) {
    pass.reads("i_src", src)
        .set("u_size", Int2{src.width(), src.height()})
        .set("u_border_texel", border_texel(src.form(), border_codes(src.form(), filter), src.depth()))
        .set("u_radius", Int2{filter.radius.x, filter.radius.y})
        .set("u_scale", scale_of(filter, src.form()))
        .set("u_rows", rows);
}

Defines strip_defines(const SeparableFilter& filter, bool shuffle) {
    return {{"BORDER", text(static_cast<int>(filter.border.mode))}, {"SHUFFLE", text(shuffle ? 1 : 0)}};
}

constexpr int warp_units =
    24; // UNITS of glsl/kinds/separable/box_warp.comp, whose radius along x is at most 15

/// A strip for each warp: weighted sums of small boxes.
GpuImage run_box_by_warps(Context& gpu, const GpuImage& src, const SeparableFilter& filter, bool shuffle) {
    constexpr std::int64_t most_groups = 40 * full_gpu; // of 8192 x 8192 pixels
    const std::int64_t strips = covering(src.texture().width(), warp_units);
    const int share = static_cast<int>(src.height() * strips / most_groups) + 1;
    const int rows = std::max({share, 2 * filter.radius.y, 16});
    Pass pass = gpu.pass("box.warps", "kinds/separable/box_warp.comp", strip_defines(filter, shuffle));
    supply_strips(pass, src, filter, rows);
    GpuImage result = gpu.make_image(src.form(), "result");
    pass.writes("i_dst", result).groups(strips, covering(src.height(), rows));
    return result;
}

} // namespace

bool can_box_in_strips(const Form& form, const SeparableFilter& filter) {
    const double pixels = (2.0 * filter.radius.x + 1) * (2.0 * filter.radius.y + 1);
    const bool is_exact =
        is_weighted(form, filter) ? 255 * 255 * pixels < whole_words : 255 * pixels < whole_floats;
    return form.depth == Depth::u8 && stored_channels(form.channels) == 4 &&
           filter.border.mode != BorderMode::wrap && !filter.border.colour &&
           !(form.has_alpha() && filter.alpha == AlphaMode::ignore) && filter.radius.y <= 128 &&
           filter.radius.x <= shapes.back().most_radius() && is_exact;
}

// 8192x8192 RGBA8, straight alpha, radius 5 and 100: in strips 0.273 and 0.375 ms, in two passes 1.88
// and 1.68 (NVIDIA H200, driver 580.159.04, 2026-11-20).
bool goes_in_strips(Context& gpu, const Form& form, const SeparableFilter& filter) {
    // On other devices a group's subgroups may be of another size than the limit says, or of several sizes.
    return can_box_in_strips(form, filter) && gpu.device().has_subgroup && gpu.limits().subgroup_size == 32 &&
           gpu.device().is("nvidia");
}

GpuImage run_box_in_strips(Context& gpu, const GpuImage& src, const SeparableFilter& filter, bool shuffle) {
    const bool weighted = is_weighted(src.form(), filter);
    if (weighted && tuned(weighs_by_warps, gpu.device(), filter.radius.x)) {
        return run_box_by_warps(gpu, src, filter, shuffle);
    }
    const Shape& shape = *std::find_if(shapes.begin(), shapes.end() - 1, [&](const Shape& candidate) {
        return filter.radius.x <= candidate.most_radius();
    });
    const std::int64_t strips = covering(src.texture().width(), shape.units);
    const int rows = rows_of(shape, filter.radius.y, src.height(), strips);
    const double code = border_codes(src.form(), filter).front();
    Defines defines = strip_defines(filter, shuffle);
    defines["ALPHA"] = text(weighted ? 1 : 0);
    defines["GROUP"] = text(shape.group);
    defines["UNITS"] = text(shape.units);
    Pass pass = gpu.pass("box.strips", "kinds/separable/box_strip.comp", defines);
    supply_strips(pass, src, filter, rows);
    GpuImage result = gpu.make_image(src.form(), "result");
    pass.writes("i_dst", result)
        .set("u_outside", static_cast<std::uint32_t>(code * (2.0 * filter.radius.y + 1)))
        .groups(strips, covering(src.height(), rows));
    return result;
}

} // namespace glproc
