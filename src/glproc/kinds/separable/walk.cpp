#include "glproc/base/covering.hpp"
#include "glproc/kinds/separable/passes.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr std::array buckets{2, 4, 8, 12}; // radii come in these, so that a slider compiles few programs

} // namespace

bool can_walk(PerAxis<int> radius) {
    return std::max(radius.x, radius.y) <= buckets.back();
}

int walk_radius(PerAxis<int> radius) {
    return *std::lower_bound(buckets.begin(), buckets.end(), std::max(radius.x, radius.y));
}

GpuImage run_walk(Context& gpu, const GpuImage& src, const SeparableFilter& filter) {
    const int radius = walk_radius(filter.radius);
    Defines defines = common_defines(src.form(), filter);
    defines["PADDED"] = text(src.channels() == 3 ? 1 : 0);
    defines["SHARPEN"] = text(filter.sharpening ? 1 : 0);
    defines["SRC_DEPTH"] = text(static_cast<int>(src.depth()));
    defines["RADIUS"] = text(radius);
    const int unit = 16 / src.stored_channels(); // pixels that an invocation stores of a row
    const int rows = 48 * radius;                // rows that it stores; it sums 2 radii more
    Pass pass = gpu.pass(fmt::format("{}.walk", filter.name), "kinds/separable/walk.comp", defines);
    supply_half_kernels(pass, src.form(), filter, radius);
    if (filter.sharpening) {
        supply_sharpening(pass, src, filter);
    }
    GpuImage result = gpu.make_image(src.form(), "result");
    pass.reads("i_src", src)
        .updates("i_dst", result)
        .set("u_rows", rows)
        .over(covering(src.width(), unit), covering(src.height(), rows));
    return result;
}

} // namespace glproc
