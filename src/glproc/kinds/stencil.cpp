#include "glproc/kinds/stencil.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/kinds/border.hpp"
#include "glproc/kinds/fetched.hpp"
#include "glproc/kinds/surroundings.hpp"
#include "glproc/kinds/twin.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

/// The defines of the file, and of the kind.
Defines defines_of(const Stencil& stencil, Depth source, Depth result) {
    Defines defines = stencil.defines;
    defines.insert({{"REACH", text(stencil.reach)},
                    {"SRC_DEPTH", text(static_cast<int>(source))},
                    {"DST_DEPTH", text(static_cast<int>(result))}});
    return defines;
}

void run_twin(const Twin<StencilTwin>& twin, const Stencil& stencil, const Form& result, RowReader& source,
              RowWriter& to) {
    const Form& form = source.form();
    const int channels = form.channels;
    StencilRow row{.params = stencil.params.data(),
                   .numbers = twin.numbers.data(),
                   .width = form.width,
                   .channels = channels,
                   .keeps_last = stencil.keeps_alpha && form.has_alpha(),
                   .kept_scale = static_cast<float>(code_ratio(form, stencil.depth)),
                   .hides = stencil.hides && form.has_alpha()};
    const Sight sight{.border = stencil.border, .reach = stencil.reach, .values = channels, .seen = channels};
    make_rows(source, sight, result, to, [&](const Surroundings& around, int y, std::byte* made) {
        StencilRow own = row;
        own.values = around.row(y);
        own.pitch = around.pitch();
        own.to = made;
        twin.run(own);
    });
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
    Defines defines = defines_of(stencil, form.depth, result.depth);
    defines.insert({{"OPERATION", stencil.glsl},
                    {"PARAMS", text(static_cast<int>(stencil.params.size()))},
                    {"BORDER", text(static_cast<int>(stencil.border.mode))},
                    {"CHANNELS", text(source.stored_channels())},
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
            .over(count * group_units, covering(form.height, rows));
    };
    // Groups within the image use a faster program, if it is worth making two.
    const std::int64_t groups = (form.width + unit * group_units - 1) / (unit * group_units);
    const int texel = pixels_per_texel(form);
    const int whole = form.width / texel * texel - covering(stencil.reach, texel) * texel;
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
    Plan plan{.shape = {.source = form, .result = result}};
    plan.work.needs = [=, name = stencil.name, reach = stencil.reach,
                       repeats = stencil.border.mode == BorderMode::wrap](Context&) {
        const int pixels = std::max(pixels_per_texel(form), pixels_per_texel(result));
        return TileNeeds{.what = name,
                         .halo = {covering(reach, pixels) * pixels, reach},
                         .grain = {pixels, 1},
                         .repeats = repeats,
                         .texel_pixels = std::min(pixels_per_texel(form), pixels_per_texel(result)),
                         .pixel_bytes = 16.0 / pixels_per_texel(form) + 16.0 / pixels_per_texel(result),
                         .pixel_work = (2.0 * reach + 1) * (2.0 * reach + 1) * form.channels};
    };
    const double taps = (2.0 * stencil.reach + 1) * (2.0 * stencil.reach + 1);
    plan.twin.row_cost = 4.0 * form.width * form.channels * taps;
    if (const auto twin =
            find_twin(stencil_twins(), stencil.glsl, defines_of(stencil, form.depth, result.depth))) {
        plan.twin.run = [=](RowReader& source, RowWriter& to) {
            run_twin(*twin, stencil, result, source, to);
        };
    }
    plan.twin.holds_picture = stencil.border.mode == BorderMode::wrap;
    plan.twin.only_proves = stencil.method == StencilMethod::walk;
    if (stencil.method == StencilMethod::cpu && !plan.twin.run) {
        fail_without_twin(stencil.glsl);
    }
    if (stencil.method == StencilMethod::cpu) {
        return on_cpu(std::move(plan));
    }
    plan.work.run = [result, stencil = std::move(stencil)](Context& gpu, const Part& source, const Rect&) {
        return run_walk(gpu, source.image, result, stencil);
    };
    return plan;
}

} // namespace glproc
