#include "glproc/kinds/strips.hpp"

#include "glproc/base/covering.hpp"

#include <algorithm>

namespace glproc {

namespace {

constexpr int most_rows = 512;
constexpr int rows_a_turn = 4; // ROWS of glsl/lib/strip.glsl
constexpr std::int64_t least_strips_within = 32;
constexpr std::int64_t groups_wanted = 132LL * 20; // fills the largest GPU measured, with little left over

} // namespace

int rows_of_strip(std::int64_t rows, std::int64_t groups_wanted, const StripRows& limits) {
    constexpr std::int64_t least_groups = 132LL * 2; // with fewer a GPU waits for the longest strip
    const std::int64_t least = std::clamp<std::int64_t>(rows / least_groups, limits.least, limits.enough);
    return static_cast<int>(std::max(rows / groups_wanted, least));
}

std::optional<StripPlan> plan_strips(const Limits& limits, const Form& form, int radius,
                                     const StripMemory& memory) {
    const int bits = static_cast<int>(form.depth);
    const int reach = (radius * stored_channels(form.channels) + 15) / 16 * 4; // REACH
    for (const int group : {128, 64}) {
        const int results = group - 2 * reach; // quads
        const int bytes = bits / 2 * (memory.held * group + rows_a_turn * results) +
                          rows_a_turn * results * memory.quad_bytes;
        if (results > 0 && group <= limits.group_invocations && group <= limits.group_size[0] &&
            bytes <= limits.shared_bytes) {
            return StripPlan{group, radius, results * bits / 32, reach * bits / 32, most_rows};
        }
    }
    return std::nullopt;
}

void over_strips(const Form& form, const StripPlan& plan, const std::function<Pass(bool edge)>& make) {
    const int pixels = pixels_per_texel(form);
    const std::int64_t texels = covering(form.width, pixels);
    const std::int64_t strips = covering(texels, plan.units);
    const auto rows_for = [&](std::int64_t side_by_side) {
        const int enough = std::min(4 * plan.radius, plan.most_rows);
        const int rows = rows_of_strip(form.height * side_by_side, groups_wanted, {rows_a_turn, enough});
        return std::min(rows, plan.most_rows) / rows_a_turn * rows_a_turn;
    };
    const auto run_strips = [&](std::int64_t count, Int2 skip, bool edge) {
        const int rows = rows_for(count);
        make(edge).set("u_skip", skip).set("u_rows", rows).groups(count, covering(form.height, rows));
    };
    const std::int64_t whole_texels = form.width / pixels;
    const std::int64_t within = (whole_texels - plan.reach) / plan.units - 1; // after the first
    if (within < least_strips_within) {
        run_strips(strips, {0, 0}, true);
        return;
    }
    run_strips(within, {0, 1}, false);
    run_strips(strips - within, {1, static_cast<int>(within)}, true);
}

} // namespace glproc
