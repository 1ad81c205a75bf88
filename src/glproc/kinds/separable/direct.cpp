#include "glproc/base/covering.hpp"
#include "glproc/gl/tuning.hpp"
#include "glproc/kinds/separable/passes.hpp"
#include "glproc/op/pacer.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr auto rows_of_floats =
    tuning<int>({{"llvmpipe", any_radius, 4,
                  "1024x1024 floats, sigma 8, along y: 4 rows an invocation 19 ms, 1 row 35 (llvmpipe, Mesa "
                  "22.3.6, two busy cores, 2026-11-24)"},
                 {"", any_radius, 1, "loads that a GPU's caches serve; 4 not measured there"}});

/// Throws Error(operation) if a wide image and as large a radius would hit the workaround loops_end_early. A
/// texel beyond the image takes a turn for each of its lanes, and a few more.
void check_turns(Context& gpu, const Form& form, const SeparableFilter& filter) {
    constexpr int most_turns = 65000;
    const int pixels = pixels_per_texel(form);
    const int texel_turns = pixels * stored_channels(form.channels) + 8;
    if (gpu.device().has_workaround("loops_end_early") &&
        filter.radius.x / pixels * texel_turns > most_turns) {
        throw Error(ErrorCode::operation,
                    fmt::format("{} with radius {} is too wide for the loops of {}", filter.name,
                                filter.radius.x, gpu.device().renderer),
                    fmt::format("up to {} works there", most_turns / texel_turns * pixels));
    }
}

/// Rows that an invocation sums at once: several only for floats, because a texel has few of them.
int rows_summed(Context& gpu, const Form& form) {
    return form.depth == Depth::f32 ? tuned(rows_of_floats, gpu.device()) : 1;
}

} // namespace

// Each axis's taps are followed by zeros, as far as a kernel may read beyond the radius.
FilterTaps upload_taps(Context& gpu, const Form& form, const SeparableFilter& filter) {
    constexpr std::size_t reach = 32; // two units of at most 16 pixels
    Floats taps;
    int y_offset = 0;
    for (const Floats& axis : half_kernels(filter, form)) {
        y_offset = static_cast<int>(taps.size());
        taps.insert(taps.end(), axis.begin(), axis.end());
        taps.resize(taps.size() + reach);
    }
    FilterTaps result{gpu.make_buffer(taps.size() * sizeof(float), "taps"), y_offset};
    result.buffer.write(taps);
    return result;
}

void supply_taps(Pass& pass, const FilterTaps& taps) {
    pass.reads("b_taps", taps.buffer).set("u_taps_y", taps.y_offset);
}

GpuImage run_direct(Context& gpu, const GpuImage& src, const SeparableFilter& filter) {
    check_turns(gpu, src.form(), filter);
    const FilterTaps taps = upload_taps(gpu, src.form(), filter);
    const std::array<int, 2> rows_at_once{1, rows_summed(gpu, src.form())};
    GpuImage dst = gpu.make_image(src.form(), "result");
    const auto sums_of = [&](int rows, std::string_view label) {
        return gpu.make_image({src.width(), rows, src.channels(), Depth::f32}, label);
    };
    GpuImage sums = sums_of(src.height(), "sums");
    const auto pass_along = [&](int axis, const GpuImage& from, GpuImage& to, int reach) {
        Defines defines = common_defines(src.form(), filter);
        defines["AXIS"] = text(axis);
        defines["SHARPEN"] = text(axis == 1 && filter.sharpening ? 1 : 0);
        defines["SRC_DEPTH"] = text(static_cast<int>(from.depth()));
        defines["DST_DEPTH"] = text(static_cast<int>(to.depth()));
        defines["ROWS"] = text(rows_at_once[static_cast<std::size_t>(axis)]);
        defines["WHOLE"] = text(has_whole_sums(src.form(), filter) ? 1 : 0);
        Pass pass = gpu.pass(fmt::format("{}.{}", filter.name, axis == 0 ? "rows" : "columns"),
                             "kinds/separable/direct.comp", defines);
        supply_taps(pass, taps);
        pass.reads("i_src", from)
            .writes("i_dst", to)
            .set("u_size", Int2{src.width(), src.height()})
            .set("u_reach", reach);
        return pass;
    };
    const auto run_over = [&](const Pass& pass, int pixels, int rows, int at_once, int reach) {
        const Pacer pacer{.row_work = double(src.width()) * src.stored_channels() * (2.0 * reach + 1),
                          .first_work = filter.dispatch_work};
        pacer.run(gpu, rows, [&](int first, int end) {
            Pass(pass)
                .set("u_first_row", first)
                .over(covering(src.width(), pixels), covering(end - first, at_once));
        });
    };
    const auto run_rows = [&](GpuImage& to, bool beyond) {
        Pass pass = pass_along(0, src, to, filter.radius.x);
        pass.set("u_beyond", beyond ? 1 : 0)
            .set("u_border_texel", border_texel(src.form(), border_codes(src.form(), filter), src.depth()));
        run_over(pass, pixels_per_texel(src.form()), to.height(), rows_at_once[0], filter.radius.x);
    };
    run_rows(sums, false);
    Pass columns = pass_along(1, sums, dst, filter.radius.y);
    columns.set("u_scale", scale_of(filter, src.form()));
    if (filter.sharpening) {
        supply_sharpening(columns, src, filter);
    }
    std::optional<GpuImage> beyond;
    if (filter.border.mode == BorderMode::constant) {
        beyond.emplace(sums_of(1, "sums beyond"));
        run_rows(*beyond, true);
        columns.reads("i_beyond", *beyond);
    }
    run_over(columns, pixels_per_texel(dst.form()), src.height(), rows_at_once[1], filter.radius.y);
    return dst;
}

} // namespace glproc
