#include "glproc/base/covering.hpp"
#include "glproc/kinds/separable/passes.hpp"

#include <algorithm>

namespace glproc {

namespace {

double column_sum(const Form& form, const SeparableFilter& filter) {
    return largest_box_sum(form, filter) / (2.0 * filter.radius.x + 1);
}

} // namespace

bool can_box_fast(const Form& form, const SeparableFilter& filter) {
    constexpr int most_turns = 16000; // see the workaround loops_end_early
    if (!has_whole_sums(form, filter)) {
        return can_box_floats(form, filter);
    }
    return !(form.has_alpha() && filter.alpha == AlphaMode::ignore) &&
           std::max(filter.radius.x, filter.radius.y) <= most_turns;
}

Depth fast_sum_depth(const Form& form, const SeparableFilter& filter) {
    // For whole numbers it stores the bits, words instead of floats.
    return has_whole_sums(form, filter) && column_sum(form, filter) < 65536 ? Depth::u16 : Depth::f32;
}

GpuImage run_fast_box(Context& gpu, const GpuImage& src, const SeparableFilter& filter) {
    if (src.depth() == Depth::f32) {
        return run_box_of_floats(gpu, src, filter);
    }
    if (goes_in_strips(gpu, src.form(), filter)) {
        return run_box_in_strips(gpu, src, filter, true);
    }
    const Depth sum_depth = fast_sum_depth(src.form(), filter);
    GpuImage sums = gpu.make_image({src.width(), src.height(), src.channels(), sum_depth}, "box.sums");
    GpuImage dst = gpu.make_image(src.form(), "result");
    const Int2 size{src.width(), src.height()};
    const bool software = gpu.device().software;

    Defines down = common_defines(src.form(), filter);
    down["AXIS"] = text(1);
    down["SRC_DEPTH"] = text(static_cast<int>(src.depth()));
    down["DST_DEPTH"] = text(static_cast<int>(sum_depth));
    down["WIDE"] = text(0);
    down["GROUP"] = text(1);
    down["SUBGROUP"] = text(0);
    const int rows = std::max(4 * filter.radius.y, 128); // so that few are summed twice
    gpu.pass("box.down", "kinds/separable/fast_box.comp", down)
        .reads("i_src", src)
        .writes("i_dst", sums)
        .set("u_size", size)
        .set("u_border_texel", border_texel(src.form(), border_codes(src.form(), filter), src.depth()))
        .set("u_radius", filter.radius.y)
        .set("u_rows", rows)
        .over(src.texture().width(), covering(src.height(), rows));

    Defines across = down;
    across["AXIS"] = text(0);
    across["SRC_DEPTH"] = down["DST_DEPTH"];
    across["DST_DEPTH"] = down["SRC_DEPTH"];
    across["WIDE"] = largest_box_sum(src.form(), filter) < 0x1p32 ? text(0) : text(1);
    across["GROUP"] = text(software ? 1 : 256);
    across["SUBGROUP"] = !software && gpu.device().has_subgroup ? text(1) : text(0);
    const BorderCodes beyond = border_between_passes(src.form(), filter);
    Uint4 outside{}; // a column's sum of each channel
    std::transform(beyond.begin(), beyond.end(), outside.begin(), [&](double code) {
        return static_cast<std::uint32_t>(code * (2.0 * filter.radius.y + 1));
    });
    if (src.has_alpha()) {
        outside[static_cast<std::size_t>(src.stored_channels()) - 1] = outside.back();
    }
    Pass pass = gpu.pass("box.across", "kinds/separable/fast_box.comp", across);
    pass.reads("i_src", sums)
        .writes("i_dst", dst)
        .set("u_size", size)
        .set("u_border_texel", Uint4{})
        .set("u_radius", filter.radius.x)
        .set("u_scale", scale_of(filter, src.form()))
        .set("u_outside", outside);
    if (software) {
        pass.over(src.height());
    } else {
        pass.groups_1d(src.height());
    }
    return dst;
}

} // namespace glproc
