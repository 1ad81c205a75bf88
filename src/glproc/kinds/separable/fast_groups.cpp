#include "glproc/base/covering.hpp"
#include "glproc/gl/tuning.hpp"
#include "glproc/kinds/fetched.hpp"
#include "glproc/kinds/separable/fast_steps.hpp"
#include "glproc/kinds/strips.hpp"

#include <algorithm>
#include <cstdint>

namespace glproc {

namespace {

constexpr auto pairs_rows =
    tuning<bool>({{"nvidia", any_radius, true,
                   "fast blur, sigma 10: 16-bit grey at 8192x8192 0.42 ms row by row and 0.36 in pairs, "
                   "float RGBA at 4096x4096 0.685 and 0.562 (NVIDIA H200, driver 580.159.04, 2026-11-22)"},
                  {"", any_radius, false,
                   "elsewhere the lanes of a subgroup need not be side by side in a row of a group"}});

constexpr std::int64_t groups_wanted = 132LL * 16; // fills the largest GPU measured

int rows_of(std::int64_t rows, std::int64_t strips, int enough) {
    return rows_of_strip(rows * strips, groups_wanted, {2, enough});
}

/// PAIRED of glsl/lib/paired_rows.glsl.
bool has_paired_rows(const Context& gpu) {
    const bool can = gpu.device().has_subgroup && gpu.limits().subgroup_size == 32;
    return can && tuned(pairs_rows, gpu.device());
}

} // namespace

void go_down_in_groups(const FastStep& step) {
    Context& gpu = step.blur.gpu;
    const GpuImage& from = step.from;
    const GpuImage& to = step.to;
    const FastLevel& along_x = step.along_x();
    const FastLevel& along_y = step.along_y();
    const int width = step.blur.x().width;
    Defines all = step.down_defines();
    all["SRC_DEPTH"] = text(static_cast<int>(from.depth()));
    all["DST_DEPTH"] = text(static_cast<int>(to.depth()));
    all["STRIDE"] = text(along_y.stride);
    all["FETCHED"] = fetched(gpu.device());
    const int pixels = pixels_per_texel(from.form());
    const int group = std::clamp(256 / pixels, 64, 256);
    all["GROUP"] = text(group);
    const int grain = pixels_per_texel(to.form());
    const int strip = group * pixels - (pixels - 1);
    const int columns = (strip / along_x.stride - (width - 1)) / grain * grain;
    const std::int64_t strips = covering(to.width(), columns);
    const int rows = (rows_of(to.height(), strips, 2 * width) + 1) / 2 * 2;
    gpu.pass("blur.down", "kinds/separable/fast_down.comp", all)
        .reads("i_src", from)
        .writes("i_dst", step.to)
        .set("u_size", Int2{from.width(), from.height()})
        .set("u_border_texel", step.border(from.depth()))
        .set("u_taps_x", step.down_taps_x())
        .set("u_taps_y", step.down_taps_y())
        .set("u_stride", Int2{along_x.stride, along_y.stride})
        .set("u_first", Int2{step.first[0] * along_x.stride, step.first[1] * along_y.stride})
        .set("u_samples", Int2{to.width(), to.height()})
        .set("u_columns", columns)
        .set("u_rows", rows)
        .groups(strips, covering(to.height(), rows));
}

void go_up_in_groups(const FastStep& step) {
    const FastBlur& blur = step.blur;
    const GpuImage& to = step.to;
    const FastLevel& along_x = step.along_x();
    const FastLevel& along_y = step.along_y();
    Defines all = step.up_defines();
    all["SRC_DEPTH"] = text(static_cast<int>(step.from.depth()));
    all["DST_DEPTH"] = text(static_cast<int>(to.depth()));
    all["SPAN"] = text(step.span(std::min(pixels_per_texel(to.form()), 4)));
    all["SHARPEN"] = text(step.sharpens() ? 1 : 0);
    const int group = to.depth() == Depth::f32 ? 256 : 128;
    all["GROUP"] = text(group);
    // For 8 bits, computing takes as long as storing.
    all["PAIRED"] = text(to.depth() != Depth::u8 && has_paired_rows(blur.gpu) ? 1 : 0);
    const std::int64_t strips = covering(to.texture().width(), group);
    const int strides = rows_of(floor_div(to.height() - 1, along_y.stride) + 1, strips, 2 * blur.y().width);
    const int rows = (strides + strides % 2) * along_y.stride; // pairs of rows belong to one group
    Pass pass = blur.gpu.pass("blur.up", "kinds/separable/fast_up.comp", all);
    if (step.sharpens()) {
        supply_sharpening(pass, blur.src, blur.filter);
    }
    pass.reads("i_src", step.from)
        .reads("i_own", blur.src)
        .writes("i_dst", step.to)
        .set("u_size", Int2{to.width(), to.height()})
        .set("u_taps_x", step.up_taps_x())
        .set("u_taps_y", along_y.up)
        .set("u_stride", Int2{along_x.stride, along_y.stride})
        .set("u_first", step.first_seen())
        .set("u_rows", rows)
        .groups(strips, covering(to.height(), rows));
}

} // namespace glproc
