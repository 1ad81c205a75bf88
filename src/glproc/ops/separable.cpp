#include "glproc/ops/separable.hpp"

#include "glproc/gl/tuning.hpp"
#include "glproc/ops/filter_cpu.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace glproc {

namespace {

std::string text(int value) {
    return std::to_string(value);
}

/// The defines that both kernels share.
Defines common_defines(const GpuImage& src, const SeparableFilter& filter) {
    const int alpha = !src.has_alpha() || filter.alpha == AlphaMode::straight ? 0
                      : filter.alpha == AlphaMode::premultiply                ? 1
                                                                              : 2;
    return {{"BORDER", text(static_cast<int>(filter.border.mode))},
            {"CHANNELS", text(src.stored_channels())},
            {"ALPHA", text(alpha)}};
}

/// The bits of a channel value given in code units.
std::uint32_t code_bits(double code, Depth depth) {
    if (depth == Depth::f32) {
        return std::bit_cast<std::uint32_t>(static_cast<float>(code));
    }
    return static_cast<std::uint32_t>(std::clamp(std::nearbyint(code), 0.0, max_code(depth)));
}

/// A texel full of the constant border's pixel: `code` for colour, 0 for alpha.
Uint4 border_texel(const GpuImage& src, double code, Depth depth) {
    const int bits = static_cast<int>(depth);
    Uint4 texel{};
    for (int lane = 0; lane < 128 / bits; ++lane) {
        const bool alpha = src.has_alpha() && lane % src.stored_channels() == src.stored_channels() - 1;
        const int shift = lane * bits;
        texel[static_cast<std::size_t>(shift / 32)] |= alpha ? 0U : code_bits(code, depth) << (shift % 32);
    }
    return texel;
}

/// The constant in code units, rounded to the image's depth so that every method sees the same.
double border_code(const GpuImage& src, const Border& border) {
    const double code = border.value * max_code(src.depth());
    return src.depth() == Depth::f32 ? code : std::clamp(std::nearbyint(code), 0.0, max_code(src.depth()));
}

/// What `place` holds, made first where it holds nothing.
GpuImage& kept(std::optional<GpuImage>& place, Context& gpu, const GpuImage& like, Depth depth,
               std::string_view label) {
    if (!place) {
        place.emplace(gpu.make_image(like.width(), like.height(), like.channels(), depth, label));
    }
    return *place;
}

/// Zeros stand after the taps of each axis as far as a kernel may look beyond the radius. Nothing for a box.
const FilterTaps* upload_taps(Context& gpu, const SeparableFilter& filter, FilterMemory& memory) {
    if (filter.taps_x.empty() || memory.taps) {
        return memory.taps ? &*memory.taps : nullptr;
    }
    constexpr std::size_t reach = 32; // two units of at most 16 pixels
    std::vector<float> taps(filter.taps_x.begin(), filter.taps_x.end());
    taps.resize(taps.size() + reach);
    const int y_offset = static_cast<int>(taps.size());
    taps.insert(taps.end(), filter.taps_y.begin(), filter.taps_y.end());
    taps.resize(taps.size() + reach);
    memory.taps.emplace(FilterTaps{gpu.make_buffer(taps.size() * sizeof(float), "taps"), y_offset});
    memory.taps->buffer.write(taps);
    return &*memory.taps;
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
SeparableFilter fold(const SeparableFilter& filter, const GpuImage& src) {
    const Fold x = fold_of(filter.border.mode, src.width());
    const Fold y = fold_of(filter.border.mode, src.height());
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

/// What tap(axis, distance) of either kernel reads.
void supply_taps(Pass& pass, const FilterTaps* taps, const SeparableFilter& filter) {
    if (taps != nullptr) {
        pass.reads("b_taps", taps->buffer).set("u_taps_y", taps->y_offset);
    } else {
        pass.set("u_radius", Int2{filter.radius.x, filter.radius.y});
    }
}

/// Throws Error(operation) where a wide image and a radius as large would meet the workaround
/// loops_end_early: a texel beyond the image takes a turn for each of its lanes, and a few more.
void check_turns(Context& gpu, const GpuImage& src, const SeparableFilter& filter) {
    constexpr int most_turns = 65000;
    const int pixels = pixels_per_texel(src.stored_channels(), src.depth());
    const int texel_turns = pixels * src.stored_channels() + 8;
    if (gpu.device().has_workaround("loops_end_early") &&
        filter.radius.x / pixels * texel_turns > most_turns) {
        throw Error(ErrorCode::operation,
                    fmt::format("{} with radius {} is too wide for the loops of {}", filter.name,
                                filter.radius.x, gpu.device().renderer),
                    fmt::format("up to {} works there", most_turns / texel_turns * pixels));
    }
}

void run_direct(Context& gpu, const GpuImage& src, const SeparableFilter& asked, FilterMemory& memory) {
    const SeparableFilter filter = fold(asked, src);
    check_turns(gpu, src, filter);
    const FilterTaps* taps = upload_taps(gpu, filter, memory);
    const double code = border_code(src, filter.border);
    GpuImage& dst = kept(memory.result, gpu, src, src.depth(), "result");
    GpuImage& rows = kept(memory.rows, gpu, src, Depth::f32, "rows");
    const double area = (2.0 * filter.radius.x + 1) * (2.0 * filter.radius.y + 1);

    const auto run = [&](int axis, const GpuImage& from, GpuImage& to, int reach, double scale,
                         double constant) {
        Defines defines = common_defines(src, filter);
        defines["AXIS"] = text(axis);
        defines["SRC_DEPTH"] = text(static_cast<int>(from.depth()));
        defines["DST_DEPTH"] = text(static_cast<int>(to.depth()));
        Pass pass = gpu.pass(fmt::format("{}.{}", filter.name, axis == 0 ? "rows" : "columns"),
                             taps != nullptr ? "blur_direct.comp" : "box_direct.comp", defines);
        supply_taps(pass, taps, filter);
        const int unit = std::max(pixels_per_texel(src.stored_channels(), from.depth()),
                                  pixels_per_texel(src.stored_channels(), to.depth()));
        pass.reads("i_src", from)
            .writes("i_dst", to)
            .set("u_size", Int2{src.width(), src.height()})
            .set("u_border_texel", border_texel(src, constant, from.depth()))
            .set("u_reach", reach)
            .set("u_scale", static_cast<float>(scale))
            .over((src.width() + unit - 1) / unit, src.height());
    };
    run(0, src, rows, filter.radius.x, 1.0, code);
    // Rows above and below hold what AXIS 0 would have made of them: a row of the constant, in its units.
    const bool premultiplied = src.has_alpha() && filter.alpha == AlphaMode::premultiply;
    const double row_sum = taps != nullptr ? 1.0 : 2.0 * filter.radius.x + 1;
    run(1, rows, dst, filter.radius.y, taps != nullptr ? 1.0 : 1.0 / area,
        premultiplied ? 0.0 : code * row_sum);
}

void run_tiled(Context& gpu, const GpuImage& src, const SeparableFilter& filter, const TilePlan& plan,
               FilterMemory& memory) {
    const FilterTaps* taps = upload_taps(gpu, filter, memory);
    GpuImage& dst = kept(memory.result, gpu, src, src.depth(), "result");
    Defines defines = common_defines(src, filter);
    defines["SRC_DEPTH"] = text(static_cast<int>(src.depth()));
    defines["GROUP_W"] = text(plan.group_w);
    defines["GROUP_H"] = text(plan.group_h);
    defines["RADIUS_UNITS"] = text(plan.radius_units);
    Pass pass = gpu.pass(fmt::format("{}.tiles", filter.name),
                         taps != nullptr ? "blur_tiled.comp" : "box_tiled.comp", defines);
    supply_taps(pass, taps, filter);
    const int units = texels_per_row(src.width(), src.stored_channels(), src.depth());
    const int rows = plan.group_h - 2 * filter.radius.y;
    pass.reads("i_src", src)
        .writes("i_dst", dst)
        .set("u_size", Int2{src.width(), src.height()})
        .set("u_border_texel", border_texel(src, border_code(src, filter.border), src.depth()))
        .set("u_reach", Int2{filter.radius.x, filter.radius.y})
        .groups((units + plan.group_w - 1) / plan.group_w, (src.height() + rows - 1) / rows);
}

std::int64_t shared_bytes(const TilePlan& plan, std::int64_t lanes, std::int64_t pixels) {
    const std::int64_t width = plan.group_w;
    return plan.group_h * (16 * (width + std::int64_t{2} * plan.radius_units) + 4 * width * (lanes + pixels));
}

} // namespace

std::optional<TilePlan> plan_tiles(const Limits& limits, int stored_channels, Depth depth,
                                   PerAxis<int> radius) {
    const int pixels = pixels_per_texel(stored_channels, depth);
    const int lanes = pixels * stored_channels;
    // Radii come in buckets, so that a slider compiles few programs.
    const auto units = static_cast<unsigned>(std::max(1, (radius.x + pixels - 1) / pixels));
    std::optional<TilePlan> best;
    double best_share = 0;
    for (const int group_w : {1, 2, 4, 8, 16, 32}) {
        for (const int group_h : {16, 32, 64, 128}) {
            const TilePlan plan{group_w, group_h, static_cast<int>(std::bit_ceil(units))};
            const int rows = group_h - 2 * radius.y;
            const std::int64_t invocations = std::int64_t{group_w} * group_h;
            if (rows < 1 || invocations > std::min<std::int64_t>(limits.group_invocations, 1024) ||
                group_h > limits.group_size[1] || shared_bytes(plan, lanes, pixels) > limits.shared_bytes) {
                continue;
            }
            const double tile = double(group_w) * pixels;
            const double share = rows / double(group_h) * tile / (tile + 2.0 * plan.radius_units * pixels);
            if (share > best_share) {
                best = plan;
                best_share = share;
            }
        }
    }
    return best;
}

std::optional<std::string> why_unavailable(Context& gpu, const GpuImage& src, const SeparableFilter& filter) {
    if (filter.method == FilterMethod::tiled && filter.radius != PerAxis<int>(0) &&
        !plan_tiles(gpu.limits(), src.stored_channels(), src.depth(), filter.radius)) {
        return fmt::format("{} with radius {},{} does not fit the {} bytes of shared memory of {}",
                           filter.name, filter.radius.x, filter.radius.y, gpu.limits().shared_bytes,
                           gpu.device().renderer);
    }
    return std::nullopt;
}

GpuImage run_separable(Context& gpu, const GpuImage& src, const SeparableFilter& filter) {
    FilterMemory memory;
    run_separable(gpu, src, filter, memory);
    return std::move(memory.result.value());
}

void run_separable(Context& gpu, const GpuImage& src, const SeparableFilter& filter, FilterMemory& memory) {
    if (const auto why = why_unavailable(gpu, src, filter)) {
        throw Error(ErrorCode::operation, *why, "use --method auto or direct");
    }
    if (filter.radius == PerAxis<int>(0)) {
        memory.result.emplace(
            gpu.copy(src, "result")); // bit for bit, the colour of transparent pixels included
        return;
    }
    FilterMethod method = filter.method;
    if (method == FilterMethod::automatic) {
        const int radius = std::max(filter.radius.x, filter.radius.y);
        method =
            FieldText<FilterMethod>::parse({"method", "", {}}, tuned_variant(gpu.device(), "filter", radius));
    }
    if (method == FilterMethod::cpu) {
        memory.result.emplace(gpu.upload(filter_on_cpu(gpu.download(src), filter), "result"));
        return;
    }
    if (method == FilterMethod::direct) {
        return run_direct(gpu, src, filter, memory);
    }
    const auto plan = plan_tiles(gpu.limits(), src.stored_channels(), src.depth(), filter.radius);
    plan ? run_tiled(gpu, src, filter, *plan, memory) : run_direct(gpu, src, filter, memory);
}

} // namespace glproc
