#include "glproc/base/covering.hpp"
#include "glproc/gl/tuning.hpp"
#include "glproc/kinds/fetched.hpp"
#include "glproc/kinds/separable/passes.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace glproc {

namespace {

constexpr int most_exact_radius = 12; // up to here `walk` takes as long; see bench/notebook.md
constexpr int block = 16;             // BLOCK of glsl/kinds/separable/box_floats.comp
constexpr int most_span = 128;        // SPAN; beyond it, tiles would be too large
constexpr int least_turns = 16;       // of an invocation
constexpr int most_turns = 256;       // likewise, for the workaround loops_end_early

constexpr std::int64_t full_gpu = 80000; // invocations, of the largest GPU measured

/// Whether a pass along y looks at the result before it stores.
constexpr auto looks_before_storing =
    tuning<bool>({{"llvmpipe", any_radius, true,
                   "2448x1505 RGB, radius 15, along y: 60 ms with a look at the result before it is stored, "
                   "110 without (llvmpipe, Mesa 22.3.6, two busy cores, 2026-11-22)"},
                  {"", any_radius, false, "loads that a GPU need not wait for; not measured there"}});

/// Blocks that every box contains as a whole, besides the end of one and the beginning of another.
int whole_blocks(int radius) {
    return 2 * radius / block - 1;
}

bool has_blocks(int radius) {
    return radius == 0 || (2 * radius >= block && whole_blocks(radius) <= most_span);
}

/// Compares the loads for a pixel along an axis with the loads of `direct`.
bool is_worth_it(const Form& form, const SeparableFilter& filter) {
    const auto fast = [](int radius, int size) { return 3 + 2.0 * radius / size; };
    const auto direct = [](int radius, int size) { return 2.0 * std::min(radius, size) + 1; };
    return fast(filter.radius.x, form.width) + fast(filter.radius.y, form.height) <
           direct(filter.radius.x, form.width) + direct(filter.radius.y, form.height);
}

} // namespace

bool can_box_floats(const Form& form, const SeparableFilter& filter) {
    const int radius = std::max(filter.radius.x, filter.radius.y);
    return form.depth == Depth::f32 && radius > most_exact_radius && has_blocks(filter.radius.x) &&
           has_blocks(filter.radius.y) && !(form.has_alpha() && filter.alpha == AlphaMode::ignore) &&
           is_worth_it(form, filter);
}

PerAxis<int> box_of_floats_grain(PerAxis<int> radius) {
    return {block * std::max(whole_blocks(radius.x), 1), block * std::max(whole_blocks(radius.y), 1)};
}

GpuImage run_box_of_floats(Context& gpu, const GpuImage& src, const SeparableFilter& filter) {
    const PerAxis<int> radius = filter.radius;
    const auto pass_along = [&](int axis, const GpuImage& from, bool alone) {
        const bool along_x = axis == 0;
        const int reach = along_x ? radius.x : radius.y;
        const int length = along_x ? src.width() : src.height();
        const std::int64_t lines = along_x ? src.height() : src.texture().width();
        const int turns = covering(length, block);
        // Each strip begins with the sum of a box: fewer strips save that, more fill the device.
        const std::int64_t strips = gpu.device().software ? 1 : std::max<std::int64_t>(1, full_gpu / lines);
        const int least = std::clamp(2 * whole_blocks(reach), least_turns, most_turns);
        const int own_turns = std::clamp(static_cast<int>(covering(turns, strips)), least, most_turns);
        BorderCodes beyond = border_codes(src.form(), filter);
        if (!along_x && !alone) { // the form of the sums of such rows
            beyond = border_between_passes(src.form(), filter);
            std::for_each(beyond.begin(), beyond.end(), [&](double& code) { code *= 2.0 * radius.x + 1; });
        }
        Defines defines = common_defines(src.form(), filter);
        defines["AXIS"] = text(axis);
        defines["ALONE"] = text(alone ? 1 : 0);
        defines["SPAN"] = text(whole_blocks(reach) <= 16 ? 16 : most_span);
        defines["FETCHED"] = fetched(gpu.device());
        const bool looks = !along_x && tuned(looks_before_storing, gpu.device());
        defines["LOOKS"] = text(looks ? 1 : 0);
        Pass pass =
            gpu.pass(along_x ? "box.rows" : "box.columns", "kinds/separable/box_floats.comp", defines);
        pass.reads("i_src", from)
            .set("u_size", Int2{src.width(), src.height()})
            .set("u_border_texel", border_texel(src.form(), beyond, Depth::f32))
            .set("u_radius", reach)
            .set("u_blocks", whole_blocks(reach))
            .set("u_rest", 2 * reach % block)
            .set("u_turns", own_turns);
        if (!along_x || alone) {
            pass.set("u_scale", scale_of(filter, src.form()));
        }
        GpuImage to = gpu.make_image(src.form(), !along_x || alone ? "result" : "box.sums");
        looks ? pass.updates("i_dst", to) : pass.writes("i_dst", to);
        pass.over(lines, covering(turns, own_turns));
        return to;
    };
    if (radius.x == 0 || radius.y == 0) {
        return pass_along(radius.x == 0 ? 1 : 0, src, true);
    }
    const GpuImage sums = pass_along(0, src, false);
    return pass_along(1, sums, false);
}

} // namespace glproc
