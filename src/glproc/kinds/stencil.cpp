#include "glproc/kinds/stencil.hpp"

#include "glproc/kinds/border.hpp"

#include "glproc/gl/tuning.hpp"
#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

std::vector<double> reference_rows(const Image& source, std::span<const int> rows, const Stencil& stencil) {
    const BorderCodes beyond = border_codes(source.form(), stencil.border, stencil.border.alpha());
    const bool has_kept = stencil.keeps_alpha && source.has_alpha();
    std::vector<double> values;
    for (const int y : rows) {
        for (int x = 0; x < source.width(); ++x) {
            for (int c = 0; c < source.channels(); ++c) {
                const int last = source.channels() - 1;
                const bool is_alpha = source.has_alpha() && c == last;
                const auto value_near = [&](int dx, int dy, int channel) {
                    const int column = index_within(stencil.border.mode, x + dx, source.width());
                    const int row = index_within(stencil.border.mode, y + dy, source.height());
                    const bool of_alpha = source.has_alpha() && channel == last;
                    return column < 0 || row < 0 ? beyond[of_alpha ? 3 : static_cast<std::size_t>(channel)]
                                                 : source.at(column, row, channel);
                };
                const Near near = [&](int dx, int dy) { // a colour that cannot be seen counts for nothing
                    const bool is_hidden = stencil.hides && source.has_alpha() && !is_alpha && value_near(dx, dy, last) == 0;
                    return is_hidden ? value_near(0, 0, c) : value_near(dx, dy, c);
                };
                values.push_back(is_alpha && has_kept
                                     ? source.at(x, y, c) * code_ratio(source.form(), stencil.depth)
                                     : stencil.reference(near));
            }
        }
    }
    return values;
}

constexpr std::int64_t group_units = 32; // the width of a group of the kernel
constexpr std::int64_t least_groups_within = 32;

GpuImage run_walk(Context& gpu, const GpuImage& source, const Form& result, const Stencil& stencil) {
    const Form& form = source.form();
    GpuImage dst = gpu.make_image({form.width, form.height, form.channels, result.depth}, "result");
    // RGB is stored with an opaque fourth channel, which stays opaque.
    const bool keeps = form.channels == 3 || (form.has_alpha() && stencil.keeps_alpha);
    const std::int64_t unit =
        std::max<std::int64_t>(pixels_per_texel(form), pixels_per_texel(dst.form())); // pixels
    const int rows = 16 * stencil.reach; // an invocation reads 2 x reach more
    Defines defines = stencil.defines;
    defines.insert({{"OPERATION", stencil.glsl},
                    {"REACH", text(stencil.reach)},
                    {"PARAMS", text(static_cast<int>(stencil.params.size()))},
                    {"BORDER", text(static_cast<int>(stencil.border.mode))},
                    {"CHANNELS", text(source.stored_channels())},
                    {"SRC_DEPTH", text(static_cast<int>(form.depth))},
                    {"DST_DEPTH", text(static_cast<int>(result.depth))},
                    {"HIDES", stencil.hides && form.has_alpha() ? "1" : "0"},
                    {"FETCHED", fetched(gpu.device())},
                    {"KEEP", keeps ? "1" : "0"}});
    const auto run_groups = [&](std::int64_t count, Int2 skip, bool edge) {
        defines["EDGE"] = text(edge ? 1 : 0);
        gpu.pass(stencil.name, "kinds/stencil.comp", defines)
            .reads("i_src", source)
            .set("u_params", stencil.params)
            .writes("i_dst", dst)
            .set("u_size", Int2{form.width, form.height})
            .set("u_border_texel",
                 border_texel(form, border_codes(form, stencil.border, stencil.border.alpha()), form.depth))
            .set("u_rows", rows)
            .set("u_skip", skip)
            .set("u_alpha_one", static_cast<float>(code_ratio(form, stencil.depth)))
            .over(count * group_units, (form.height + rows - 1) / rows);
    };
    // Groups within the image use a faster program, if it is worth making two.
    const std::int64_t groups = (form.width + unit * group_units - 1) / (unit * group_units);
    const int texel = pixels_per_texel(form);
    const int whole = form.width / texel * texel - (stencil.reach + texel - 1) / texel * texel;
    const std::int64_t within = whole / (unit * group_units) - 1; // after the first
    if (within < least_groups_within) {
        run_groups(groups, {0, 0}, true);
        return dst;
    }
    run_groups(within, {0, 1}, false);
    run_groups(groups - within, {1, static_cast<int>(within)}, true);
    return dst;
}

} // namespace

double code_ratio(const Form& form, const std::optional<Depth>& depth) {
    return max_code(depth.value_or(form.depth)) / max_code(form.depth);
}

Plan stencil_plan(const Form& form, Stencil stencil) {
    check_border(stencil.border, form);
    Form result = form;
    result.depth = stencil.depth.value_or(form.depth);
    Plan plan{.source = form, .result = result};
    plan.needs = [=, name = stencil.name, reach = stencil.reach,
                  repeats = stencil.border.mode == BorderMode::wrap](Context&) {
        const int pixels = std::max(pixels_per_texel(form), pixels_per_texel(result));
        return TileNeeds{.what = name,
                         .halo = {(reach + pixels - 1) / pixels * pixels, reach},
                         .grain = {pixels, 1},
                         .repeats = repeats,
                         .texel_pixels = std::min(pixels_per_texel(form), pixels_per_texel(result)),
                         .pixel_bytes = 16.0 / pixels_per_texel(form) + 16.0 / pixels_per_texel(result),
                         .pixel_work = (2.0 * reach + 1) * (2.0 * reach + 1) * form.channels};
    };
    const double taps = (2.0 * stencil.reach + 1) * (2.0 * stencil.reach + 1);
    plan.reference = {
        .rows = [stencil](const Image& source,
                          std::span<const int> rows) { return reference_rows(source, rows, stencil); },
        .row_cost = 8.0 * form.width * form.channels * taps};
    if (stencil.method == StencilMethod::cpu) {
        return on_cpu(std::move(plan));
    }
    plan.run = [result, stencil = std::move(stencil)](Context& gpu, const Part& source, const Rect&) {
        return run_walk(gpu, source.image, result, stencil);
    };
    return plan;
}

} // namespace glproc
