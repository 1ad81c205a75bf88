#include "glproc/kinds/separable/passes.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr int rows_a_turn = 4; // ROWS of glsl/separable_window.comp
constexpr int span = 4;        // SPAN

constexpr std::array buckets{2, 4, 8, 12, 16}; // radii come in these, so that a slider compiles few programs
constexpr std::int64_t least_strips_within = 32;
constexpr std::int64_t groups_wanted = 132LL * 20; // fills the largest GPU measured, with little left over

} // namespace

std::optional<WindowPlan> plan_window(const Limits& limits, const Form& form, PerAxis<int> radius) {
    const auto* bucket = std::find_if(buckets.begin(), buckets.end(),
                                      [&](int b) { return b >= std::max(radius.x, radius.y); });
    if (bucket == buckets.end()) {
        return std::nullopt;
    }
    const int bits = static_cast<int>(form.depth);
    const int reach = (*bucket * stored_channels(form.channels) + 15) / 16 * 4;
    for (const int group : {128, 64}) {
        const int results = group - 2 * reach; // quads
        const int bytes = rows_a_turn * (bits / 2 * (group + results) + 16 * (results + results / span));
        if (results > 0 && group <= limits.group_invocations && group <= limits.group_size[0] &&
            bytes <= limits.shared_bytes) {
            return WindowPlan{group, *bucket, results * bits / 32, reach * bits / 32};
        }
    }
    return std::nullopt;
}

GpuImage run_window(Context& gpu, const GpuImage& src, const SeparableFilter& filter,
                    const WindowPlan& plan) {
    GpuImage result = gpu.make_image(src.form(), "result");
    Defines defines = common_defines(src.form(), filter);
    defines["SHARPEN"] = text(filter.sharpening ? 1 : 0);
    defines["SRC_DEPTH"] = text(static_cast<int>(src.depth()));
    defines["GROUP"] = text(plan.group);
    defines["RADIUS"] = text(plan.radius);
    const int texels = src.texture().width();
    const std::int64_t strips = (texels + plan.units - 1) / plan.units;
    // So many groups down the image. Long strips load few rows twice, many strips fill the GPU.
    const auto rows_for = [&](std::int64_t side_by_side) {
        const auto share = static_cast<int>(src.height() * side_by_side / groups_wanted);
        return std::clamp(share, 4 * plan.radius, 512) / rows_a_turn * rows_a_turn;
    };
    const auto run_strips = [&](std::int64_t count, Int2 skip, bool edge) {
        const int rows = rows_for(count);
        defines["EDGE"] = text(edge ? 1 : 0);
        Pass pass = gpu.pass(fmt::format("{}.window", filter.name), "kinds/separable/window.comp", defines);
        supply_half_kernels(pass, src.form(), filter, plan.radius);
        if (filter.sharpening) {
            supply_sharpening(pass, src, filter);
        }
        pass.reads("i_src", src)
            .writes("i_dst", result)
            .set("u_skip", skip)
            .set("u_rows", rows)
            .groups(count, (src.height() + rows - 1) / rows);
    };
    // Strips within the image go by a program that is faster, where it is worth making two.
    const std::int64_t whole_texels = src.width() / pixels_per_texel(src.form());
    const std::int64_t within = (whole_texels - plan.reach) / plan.units - 1; // after the first
    if (within < least_strips_within) {
        run_strips(strips, {0, 0}, true);
        return result;
    }
    run_strips(within, {0, 1}, false);
    run_strips(strips - within, {1, static_cast<int>(within)}, true);
    return result;
}

} // namespace glproc
