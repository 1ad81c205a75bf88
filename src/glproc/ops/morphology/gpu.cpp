#include "glproc/base/covering.hpp"
#include "glproc/gl/tuning.hpp"
#include "glproc/kinds/fetched.hpp"
#include "glproc/op/pacer.hpp"
#include "glproc/ops/morphology/parts.hpp"

#include <algorithm>
#include <numeric>
#include <string>

namespace glproc {

namespace {

constexpr int most_flat =
    127; // radius of one pass of glsl/morphology/columns.comp: its queue has 30 blocks of 8

constexpr int most_small = 3; // RADIUS of glsl/morphology/small.comp

/// FETCHED of glsl/morphology/columns.comp.
constexpr auto fetches_columns =
    tuning<bool>({{"llvmpipe", any_radius, false, "see texels of neighbours"},
                  {"", 23, false,
                   "8192x8192 RGBA8, dilation by a box of radius 15 and 20: 0.747 and 0.851 ms with image "
                   "loads, 0.887 and 0.875 with fetches (NVIDIA H200, driver 580.159.04, 2026-11-23)"},
                  {"", any_radius, true,
                   "the same with radius 31, 50 and 100: 1.49, 1.46 and 1.20 ms with image loads, 1.15, 1.22 "
                   "and 0.980 with fetches"}});

constexpr auto turned_stores = tuning<TurnedStores>(
    {{"llvmpipe", any_radius, TurnedStores::registers,
      "2448x1505 RGBA8, dilate by a box of radius 4, 5 and 7, three runs in turns: from registers 73, 61 and "
      "65 ms, through shared memory 75, 77 and 82 (llvmpipe, Mesa 22.3.6, two cores, 2026-11-23)"},
     {"", 7, TurnedStores::shared,
      "8192x8192 RGBA8, dilate by a box of radius 5: from registers 0.70 ms, through shared memory 0.431 "
      "(NVIDIA H200, driver 580.159.04, 2026-11-22)"},
     {"", any_radius, TurnedStores::registers,
      "the same with radius 15 and 100: 0.75 and 0.971 ms, through shared memory, 16 rows at a time, 0.902 "
      "and 1.29"}});

Defines defines_of(const Form& form, const Morphology& op) {
    Defines defines = rank_defines(form, op.border, op.alpha);
    if (form.channels == 3) {
        defines["KEEP"] = std::to_string(0); // the fourth channel costs nothing here
    }
    return defines;
}

void supply(Pass& pass, const GpuImage& src, const Morphology& op, Extreme which) {
    pass.reads("i_src", src)
        .set("u_size", Int2{src.width(), src.height()})
        .set("u_border_texel", rank_border_texel(src.form(), op.border))
        .set("u_flip", which == Extreme::least ? 0xffffffffU : 0U);
}

bool shares_stores(Context& gpu, TurnedStores stores, int radius) {
    const bool is_automatic = stores == TurnedStores::automatic;
    return (is_automatic ? tuned(turned_stores, gpu.device(), radius) : stores) == TurnedStores::shared;
}

/// One pass along y, at most most_flat far; `dst` is transposed.
void pass_columns(Context& gpu, const GpuImage& src, GpuImage& dst, const Morphology& op, int radius,
                  Extreme which, TurnedStores stores) {
    const int block = std::max(8, pixels_per_texel(src.form()));
    const bool is_small = 2 * radius < block;
    const int queued = is_small ? 0 : (2 * radius - block) / block;
    Defines defines = defines_of(src.form(), op);
    defines["RADIUS"] = std::to_string(is_small ? radius : 0);
    defines["FETCHED"] = std::to_string(tuned(fetches_columns, gpu.device(), radius) ? 1 : 0);
    const bool is_shared = queued == 0 && shares_stores(gpu, stores, radius);
    defines["SHARED"] = std::to_string(is_shared ? 1 : 0);
    defines["RING"] = std::to_string(is_small ? -1 : queued == 0 ? 0 : queued <= 4 ? 4 : 30);
    // The first turn of a strip costs 2 radii more than others. Many strips at a time write to more places
    // than a cache holds.
    const int rows = std::max(is_small ? 512 : 256, covering(8 * radius, block) * block);
    Pass pass = gpu.pass("morphology.columns", "morphology/columns.comp", defines);
    supply(pass, src, op, which);
    if (!is_small) {
        pass.set("u_radius", radius);
    }
    pass.writes("i_dst", dst).set("u_rows", rows).over(src.texture().width(), covering(src.height(), rows));
}

/// A small box in one pass.
GpuImage run_small(Context& gpu, const GpuImage& src, const Morphology& op, Extreme which) {
    GpuImage dst = gpu.make_image(src.form(), "morphology");
    Defines defines = defines_of(src.form(), op);
    defines["RADIUS"] = std::to_string(op.radius.x);
    defines["FETCHED"] = fetched(gpu.device());
    constexpr int rows = 32; // of an invocation, which reads 2 radii more
    Pass pass = gpu.pass("morphology.small", "morphology/small.comp", defines);
    supply(pass, src, op, which);
    pass.writes("i_dst", dst).set("u_rows", rows).over(src.texture().width(), covering(src.height(), rows));
    return dst;
}

} // namespace

PerAxis<int> radius_within(const Form& form, PerAxis<int> radius) {
    return {std::min(radius.x, form.width), std::min(radius.y, form.height)};
}

GpuImage run_flat(Context& gpu, const GpuImage& src, const Morphology& op, Extreme which,
                  TurnedStores stores) {
    const Form& form = src.form();
    if (op.radius.x == op.radius.y && op.radius.x >= 1 && op.radius.x <= most_small) {
        return run_small(gpu, src, op, which);
    }
    const Form turned{form.height, form.width, form.channels, form.depth};
    GpuImage across = gpu.make_image(turned, "morphology.turned");
    GpuImage result = gpu.make_image(form, "morphology");
    PerAxis<int> left = radius_within(form, op.radius);
    const GpuImage* from = &src;
    do {
        const PerAxis<int> now{std::min(left.x, most_flat), std::min(left.y, most_flat)};
        pass_columns(gpu, *from, across, op, now.y, which, stores);
        pass_columns(gpu, across, result, op, now.x, which, stores);
        left = {left.x - now.x, left.y - now.y};
        from = &result;
    } while (left != PerAxis<int>(0));
    return result;
}

bool can_run_direct(Context& gpu, const Form& form, const Morphology& op) {
    constexpr double most_turns = 65000;
    const int pixels = pixels_per_texel(form);
    const std::vector<int> runs = runs_of(op);
    const double texels = std::accumulate(runs.begin(), runs.end(), 0.0, [&](double sum, int reach) {
        return sum + 2.0 * covering(reach, pixels) + 2;
    });
    const double texel_turns = pixels * (stored_channels(form.channels) + 2.0) + 4;
    return !gpu.device().has_workaround("loops_end_early") || texels * texel_turns <= most_turns;
}

GpuImage run_direct(Context& gpu, const GpuImage& src, const Morphology& op, Extreme which) {
    GpuImage dst = gpu.make_image(src.form(), "morphology");
    const std::vector<int> runs = runs_of(op);
    Buffer buffer = gpu.make_buffer(runs.size() * sizeof(int), "runs");
    buffer.write(runs);
    Pass pass = gpu.pass("morphology.runs", "morphology/runs.comp", defines_of(src.form(), op));
    supply(pass, src, op, which);
    pass.reads("b_runs", buffer).writes("i_dst", dst).set("u_radius", op.radius.y);
    const double shape = std::accumulate(runs.begin(), runs.end(), 0.0,
                                         [](double sum, int reach) { return sum + 2.0 * reach + 1; });
    const Pacer pacer{.row_work = double(src.width()) * src.stored_channels() * shape};
    pacer.run(gpu, src.height(), [&](int first, int end) {
        Pass(pass).set("u_first_row", first).set("u_end_row", end).over(src.texture().width(), end - first);
    });
    return dst;
}

void subtract(Context& gpu, const GpuImage& other, GpuImage& target, bool from_other, const Morphology& op) {
    Defines defines = defines_of(target.form(), op);
    defines.erase("BORDER");
    defines["SWAP"] = std::to_string(from_other ? 1 : 0);
    gpu.pass("morphology.difference", "morphology/difference.comp", defines)
        .reads("i_src", other)
        .updates("i_dst", target)
        .over(target.texture().width(), target.height());
}

} // namespace glproc
