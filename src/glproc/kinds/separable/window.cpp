#include "glproc/kinds/separable/passes.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace glproc {

namespace {

// Radii come in these, so that a slider compiles few programs.
constexpr std::array buckets{2, 4, 5, 6, 8, 12, 16};
constexpr int sums_bytes = 20; // of a quad, with the gap after every span

} // namespace

std::optional<StripPlan> plan_window(const Limits& limits, const Form& form, PerAxis<int> radius) {
    const auto* bucket = std::find_if(buckets.begin(), buckets.end(),
                                      [&](int b) { return b >= std::max(radius.x, radius.y); });
    return bucket == buckets.end() ? std::nullopt
                                   : plan_strips(limits, form, *bucket, {.quad_bytes = sums_bytes});
}

GpuImage run_window(Context& gpu, const GpuImage& src, const SeparableFilter& filter, const StripPlan& plan) {
    GpuImage result = gpu.make_image(src.form(), "result");
    Defines defines = common_defines(src.form(), filter);
    defines["SHARPEN"] = text(filter.sharpening ? 1 : 0);
    defines["SRC_DEPTH"] = text(static_cast<int>(src.depth()));
    defines["GROUP"] = text(plan.group);
    defines["RADIUS"] = text(plan.radius);
    over_strips(src.form(), plan, [&](bool edge) {
        defines["EDGE"] = text(edge ? 1 : 0);
        Pass pass = gpu.pass(fmt::format("{}.window", filter.name), "kinds/separable/window.comp", defines);
        supply_half_kernels(pass, src.form(), filter, plan.radius);
        if (filter.sharpening) {
            supply_sharpening(pass, src, filter);
        }
        pass.reads("i_src", src).writes("i_dst", result);
        return pass;
    });
    return result;
}

} // namespace glproc
