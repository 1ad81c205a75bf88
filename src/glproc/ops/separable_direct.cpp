#include "glproc/ops/pacer.hpp"
#include "glproc/ops/separable_passes.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace glproc {

namespace {

/// Zeros stand after the taps of each axis as far as a kernel may look beyond the radius.
const FilterTaps& upload_taps(Context& gpu, const SeparableFilter& filter, FilterMemory& memory) {
    if (memory.taps) {
        return *memory.taps;
    }
    constexpr std::size_t reach = 32; // two units of at most 16 pixels
    std::vector<float> taps(filter.taps_x.begin(), filter.taps_x.end());
    taps.resize(taps.size() + reach);
    const int y_offset = static_cast<int>(taps.size());
    taps.insert(taps.end(), filter.taps_y.begin(), filter.taps_y.end());
    taps.resize(taps.size() + reach);
    memory.taps.emplace(FilterTaps{gpu.make_buffer(taps.size() * sizeof(float), "taps"), y_offset});
    memory.taps->buffer.write(taps);
    return *memory.taps;
}

/// How far a filter needs to reach along a line of n pixels: beyond it, all that it sees it has seen.
struct Fold {
    bool repeats = false; ///< the line repeats, or ends in one value for ever
    int period = 1;
    int reach = 0;
};

Fold fold_of(BorderMode border, int n) {
    switch (border) {
    case BorderMode::mirror:
        return {true, std::max(2 * (n - 1), 1), n - 1};
    case BorderMode::symmetric:
        return {true, 2 * n, n};
    case BorderMode::wrap:
        return {true, n, n / 2};
    case BorderMode::clamp:
    case BorderMode::constant:
        break;
    }
    return {false, n, n};
}

/// A half kernel that reaches no farther than it needs to and gives the same sums.
std::vector<double> fold_taps(const std::vector<double>& taps, const Fold& fold) {
    if (static_cast<int>(taps.size()) - 1 <= fold.reach) {
        return taps;
    }
    std::vector<double> folded(static_cast<std::size_t>(fold.reach) + 1);
    for (int d = 0; d < static_cast<int>(taps.size()); ++d) {
        const int around = d % fold.period; // both ways round a repeating line lead to the same pixel
        const int k = fold.repeats ? std::min(around, fold.period - around) : std::min(d, fold.reach);
        folded[static_cast<std::size_t>(k)] +=
            taps[static_cast<std::size_t>(d)] * (k == 0 && d > 0 ? 2.0 : 1.0);
    }
    return folded;
}

/// The same filter with radii that stay within the image; a box becomes a weighted sum by it. Saves work, and
/// llvmpipe from the end of its loops (see the workaround loops_end_early).
SeparableFilter fold(const SeparableFilter& filter, const Form& form) {
    const Fold x = fold_of(filter.border.mode, form.width);
    const Fold y = fold_of(filter.border.mode, form.height);
    if (filter.radius.x <= x.reach && filter.radius.y <= y.reach) {
        return filter;
    }
    const auto box_taps = [](int radius) {
        return std::vector<double>(static_cast<std::size_t>(radius) + 1, 1 / (2.0 * radius + 1));
    };
    SeparableFilter result = filter;
    result.taps_x = fold_taps(filter.taps_x.empty() ? box_taps(filter.radius.x) : filter.taps_x, x);
    result.taps_y = fold_taps(filter.taps_y.empty() ? box_taps(filter.radius.y) : filter.taps_y, y);
    result.radius = {static_cast<int>(result.taps_x.size()) - 1, static_cast<int>(result.taps_y.size()) - 1};
    return result;
}

/// Throws Error(operation) where a wide image and a radius as large would meet the workaround
/// loops_end_early: a texel beyond the image takes a turn for each of its lanes, and a few more.
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

} // namespace

void supply_taps(Pass& pass, Context& gpu, const SeparableFilter& filter, FilterMemory& memory) {
    if (filter.is_box()) {
        pass.set("u_radius", Int2{filter.radius.x, filter.radius.y});
    } else {
        const FilterTaps& taps = upload_taps(gpu, filter, memory);
        pass.reads("b_taps", taps.buffer).set("u_taps_y", taps.y_offset);
    }
}

void run_direct(Context& gpu, const GpuImage& src, const SeparableFilter& asked, FilterMemory& memory) {
    const SeparableFilter filter = fold(asked, src.form());
    check_turns(gpu, src.form(), filter);
    GpuImage& dst = result_of(memory, gpu, src);
    GpuImage& rows =
        memory.scratch_image(gpu, 0, {src.width(), src.height(), src.channels(), Depth::f32}, "rows");

    const auto run = [&](int axis, const GpuImage& from, GpuImage& to, int reach, float scale,
                         const BorderCodes& beyond) {
        Defines defines = common_defines(src.form(), filter);
        defines["AXIS"] = text(axis);
        defines["SRC_DEPTH"] = text(static_cast<int>(from.depth()));
        defines["DST_DEPTH"] = text(static_cast<int>(to.depth()));
        Pass pass = gpu.pass(fmt::format("{}.{}", filter.name, axis == 0 ? "rows" : "columns"),
                             filter.is_box() ? "box_direct.comp" : "blur_direct.comp", defines);
        const int unit = std::max(pixels_per_texel(from.form()), pixels_per_texel(to.form()));
        supply_taps(pass, gpu, filter, memory);
        pass.reads("i_src", from)
            .writes("i_dst", to)
            .set("u_size", Int2{src.width(), src.height()})
            .set("u_border_texel", border_texel(src.form(), beyond, from.depth()))
            .set("u_reach", reach)
            .set("u_scale", scale);
        const Pacer pacer{.row_work = double(src.width()) * src.stored_channels() * (2.0 * reach + 1),
                          .first_work = memory.dispatch_work};
        pacer.run(gpu, src.height(), [&](int first, int end) {
            Pass(pass).set("u_first_row", first).over((src.width() + unit - 1) / unit, end - first);
        });
    };
    run(0, src, rows, filter.radius.x, 1.0F, border_codes(src.form(), filter));
    // Rows above and below hold what AXIS 0 would have made of them: a row of the constant, in its units.
    const double row_sum = filter.is_box() ? 2.0 * filter.radius.x + 1 : 1.0;
    BorderCodes beyond = border_between_passes(src.form(), filter);
    std::for_each(beyond.begin(), beyond.end(), [&](double& code) { code *= row_sum; });
    run(1, rows, dst, filter.radius.y, scale_of(filter), beyond);
}

} // namespace glproc
