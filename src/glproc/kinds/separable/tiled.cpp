#include "glproc/base/covering.hpp"
#include "glproc/kinds/separable/passes.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

namespace glproc {

namespace {

std::int64_t shared_bytes(const BlockPlan& plan, std::int64_t lanes, std::int64_t pixels) {
    const std::int64_t width = plan.group_w;
    return plan.group_h * (16 * (width + std::int64_t{2} * plan.radius_units) + 4 * width * (lanes + pixels));
}

} // namespace

std::optional<BlockPlan> plan_blocks(const Limits& limits, const Form& form, PerAxis<int> radius) {
    const int pixels = pixels_per_texel(form);
    const int lanes = pixels * stored_channels(form.channels);
    // Radii come in buckets, so that a slider compiles few programs.
    const auto units = static_cast<unsigned>(std::max(1, covering(radius.x, pixels)));
    std::optional<BlockPlan> best;
    double best_share = 0;
    for (const int group_w : {1, 2, 4, 8, 16, 32}) {
        for (const int group_h : {16, 32, 64, 128}) {
            const BlockPlan plan{group_w, group_h, static_cast<int>(std::bit_ceil(units))};
            const int rows = group_h - 2 * radius.y;
            const std::int64_t invocations = std::int64_t{group_w} * group_h;
            if (rows < 1 || invocations > std::min<std::int64_t>(limits.group_invocations, 1024) ||
                group_h > limits.group_size[1] || shared_bytes(plan, lanes, pixels) > limits.shared_bytes) {
                continue;
            }
            const double tile = double(group_w) * pixels;
            const double share = rows / double(group_h) * tile / (tile + 2.0 * plan.radius_units * pixels);
            if (share > best_share) {
                best = plan;
                best_share = share;
            }
        }
    }
    return best;
}

GpuImage run_tiled(Context& gpu, const GpuImage& src, const SeparableFilter& filter, const BlockPlan& plan) {
    const FilterTaps taps = upload_taps(gpu, src.form(), filter);
    GpuImage dst = gpu.make_image(src.form(), "result");
    Defines defines = common_defines(src.form(), filter);
    defines["SHARPEN"] = text(filter.sharpening ? 1 : 0);
    defines["SRC_DEPTH"] = text(static_cast<int>(src.depth()));
    defines["GROUP_W"] = text(plan.group_w);
    defines["GROUP_H"] = text(plan.group_h);
    defines["RADIUS_UNITS"] = text(plan.radius_units);
    defines["WHOLE"] = text(has_whole_sums(src.form(), filter) ? 1 : 0);
    Pass pass = gpu.pass(fmt::format("{}.tiles", filter.name), "kinds/separable/tiled.comp", defines);
    supply_taps(pass, taps);
    if (filter.sharpening) {
        supply_sharpening(pass, src, filter);
    }
    const int units = src.texture().width();
    const int rows = plan.group_h - 2 * filter.radius.y;
    pass.reads("i_src", src)
        .writes("i_dst", dst)
        .set("u_size", Int2{src.width(), src.height()})
        .set("u_border_texel", border_texel(src.form(), border_codes(src.form(), filter), src.depth()))
        .set("u_reach", Int2{filter.radius.x, filter.radius.y})
        .groups(covering(units, plan.group_w), covering(src.height(), rows));
    return dst;
}

} // namespace glproc
