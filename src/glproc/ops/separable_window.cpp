#include "glproc/ops/separable_passes.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr int rows_a_turn = 4; // ROWS of glsl/separable_window.comp
constexpr int span = 4;        // SPAN

constexpr std::array buckets{2, 4, 8, 12, 16}; // radii come in these, so that a slider compiles few programs
constexpr std::int64_t groups_wanted = 132LL * 20; // fills the largest GPU measured, with little left over

/// Of a row of so many quads in shared memory, as vectors of four floats.
std::int64_t shared_length(int quads) {
    return (quads + quads / span) | 1;
}

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
        const std::int64_t bytes = rows_a_turn * (16 * (shared_length(group) + shared_length(results)) +
                                                  std::int64_t{bits} / 2 * results);
        if (results > 0 && group <= limits.group_invocations && group <= limits.group_size[0] &&
            bytes <= limits.shared_bytes) {
            return WindowPlan{group, *bucket, results * bits / 32};
        }
    }
    return std::nullopt;
}

void run_window(Context& gpu, const GpuImage& src, const SeparableFilter& filter, const WindowPlan& plan,
                FilterMemory& memory) {
    Defines defines = common_defines(src.form(), filter);
    defines["SRC_DEPTH"] = text(static_cast<int>(src.depth()));
    defines["GROUP"] = text(plan.group);
    defines["RADIUS"] = text(plan.radius);
    const int texels = src.texture().width();
    const std::int64_t strips = (texels + plan.units - 1) / plan.units;
    // Long strips load few rows twice, many strips fill the GPU.
    const auto share = static_cast<int>(src.height() * strips / groups_wanted);
    const int rows = std::clamp(share, 4 * plan.radius, 512) / rows_a_turn * rows_a_turn;
    Pass pass = gpu.pass(fmt::format("{}.window", filter.name), "separable_window.comp", defines);
    supply_half_kernels(pass, src.form(), filter, plan.radius);
    pass.reads("i_src", src)
        .writes("i_dst", result_of(memory, gpu, src))
        .set("u_rows", rows)
        .groups(strips, (src.height() + rows - 1) / rows);
}

} // namespace glproc
