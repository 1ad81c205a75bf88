#include "glproc/kinds/gather/resample.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/gl/tuning.hpp"
#include "glproc/kinds/gather/resample_pairs.hpp"
#include "glproc/kinds/gather/resample_tables.hpp"
#include "glproc/kinds/light.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr int lines_a_group = 64;               // of the kernel
constexpr std::int64_t enough_strips = 1 << 17; // fills the largest GPU measured

constexpr auto resample_roads = tuning<ResampleRoad>(
    {{"llvmpipe", any_radius, ResampleRoad::lines,
      "2448x1505 RGBA8, straight alpha, lanczos3, to half, a third and three halves: lines 60, 41 and 190 "
      "ms, pairs 97, 36 and 261 (llvmpipe, Mesa 22.3.6, two busy cores, 2026-11-22)"},
     {"", any_radius, ResampleRoad::pairs,
      "8192x8192 RGBA8, straight alpha, lanczos3, to half, 1024 and 12288: pairs 0.339, 0.324 and 1.13 ms, "
      "lines 0.525, 0.467 and 1.55 (NVIDIA H200, driver 580.159.04, 2026-11-22)"}});

/// Facts that the passes over a picture share.
struct Work {
    Form form; ///< of the picture; its size does not matter
    bool weighted;
    bool linear;

    bool is_short() const { return form.depth == Depth::u8 && !weighted && !linear; }
};

/// Turns that all loops of an invocation take together for a strip, more or less: found by trying, on
/// llvmpipe.
double turns_of(const Stretch& stretch, std::int64_t strip, bool looks_up) {
    constexpr double for_source_pixel = 7;
    constexpr double for_pixel = 20;
    constexpr double to_look_up = 16 * 17; // 16 values, each with the bits of a code and one
    // Windows that begin before the strip are begun, too.
    const double from = (double(strip) + 2 * reach_of(stretch.filter)) * stretch.scale();
    return for_source_pixel * std::min<double>(from, stretch.from) +
           double(strip) * (for_pixel + (looks_up ? to_look_up : 0));
}

/// How many pixels of the result an invocation makes, in whole texels. Throws Error(operation) if the
/// workaround loops_end_early leaves too few turns for one texel.
int strip_of(Context& gpu, const Stretch& stretch, std::int64_t lines, int count, int grain, bool looks_up) {
    constexpr double most_turns = 55000; // of 65535
    const auto in_texels = [grain](std::int64_t strip) { return covering(strip, grain) * grain; };
    std::int64_t strip = gpu.device().software ? count : count * lines / enough_strips;
    strip = in_texels(std::max<std::int64_t>(strip, slots_of(stretch.filter)));
    if (gpu.device().has_workaround("loops_end_early")) {
        while (strip > grain && turns_of(stretch, strip, looks_up) > most_turns) {
            strip = in_texels(strip / 2);
        }
        if (turns_of(stretch, strip, looks_up) > most_turns) {
            throw Error(ErrorCode::operation,
                        fmt::format("resize from {} to {} pixels is too much for the loops of {}",
                                    stretch.from, stretch.to, gpu.device().renderer),
                        "do it in two steps");
        }
    }
    return static_cast<int>(strip);
}

/// One axis: 0 is x. `first` and `begin` are where result and source begin along it.
void run_axis(Context& gpu, const Work& work, int axis, const Stretch& stretch, bool is_first, bool is_last,
              const GpuImage& from, int begin, GpuImage& to, int first) {
    const int count = axis == 0 ? to.width() : to.height();
    const int length = axis == 0 ? from.width() : from.height();
    const bool is_short = is_first && work.is_short() && takes_short_weights(stretch);
    const TableKey key{stretch, first, count, begin, length, is_short};
    const AxisTables& tables = axis_tables(gpu, key);
    const bool careful = carries_errors(stretch, work.form.depth);
    const int unit = std::max(pixels_per_texel(from.form()), pixels_per_texel(to.form()));
    const int rows = axis == 0 && gpu.device().software ? 4 : 1; // ROWS of the kernel
    const std::int64_t lines = axis == 0 ? to.height() : covering(to.width(), unit);
    const int strip = strip_of(gpu, stretch, lines, count, axis == 0 ? pixels_per_texel(to.form()) : 1,
                               is_last && work.linear);
    Pass pass = gpu.pass(axis == 0 ? "resample.rows" : "resample.columns", "kinds/gather/resample.comp",
                         {{"AXIS", text(axis)},
                          {"DOWN", text(stretch.shrinks() ? 1 : 0)},
                          {"SLOTS", text(slots_of(stretch.filter))},
                          {"CHANNELS", text(to.stored_channels())},
                          {"DEPTH", text(static_cast<int>(work.form.depth))},
                          {"ALPHA", text(work.weighted ? 1 : 0)},
                          {"FIRST", text(is_first ? 1 : 0)},
                          {"LAST", text(is_last ? 1 : 0)},
                          {"LIGHT", text(work.linear ? 1 : 0)},
                          {"ROWS", text(rows)},
                          {"SHORT", text(is_short ? 1 : 0)},
                          {"CAREFUL", text(careful ? 1 : 0)}});
    std::optional<Buffer> light;
    std::optional<Buffer> codes;
    if (work.linear && is_first) {
        light.emplace(filled(gpu, light_of_codes(work.form.depth), "resample.light"));
        pass.reads("b_light", *light);
    }
    if (work.linear && is_last) {
        codes.emplace(filled(gpu, first_light(work.form.depth), "resample.codes"));
        pass.reads("b_codes", *codes);
    }
    pass.reads("i_src", from)
        .reads("b_windows", tables.windows)
        .reads("b_weights", tables.weights)
        .writes("i_dst", to)
        .set("u_lines", static_cast<int>(lines))
        .set("u_count", count)
        .set("u_strip", strip)
        .groups(covering(lines, lines_a_group * rows), covering(count, strip));
}

bool takes_pairs(Context& gpu, const Work& work, const Resample& resample, const GpuImage& part) {
    const bool is_automatic = resample.road == ResampleRoad::automatic;
    const ResampleRoad road = is_automatic ? tuned(resample_roads, gpu.device()) : resample.road;
    return road == ResampleRoad::pairs && work.is_short() && part.stored_channels() == 4;
}

bool mixes(const Resample& resample) {
    if (resample.x.is_whole() && resample.y.is_whole()) {
        return false;
    }
    return resample.x.filter != ResampleFilter::nearest || resample.y.filter != ResampleFilter::nearest;
}

} // namespace

bool carries_errors(const Stretch& stretch, Depth depth) {
    constexpr double from = 8; // a scale
    return depth == Depth::f32 && stretch.scale() > from;
}

bool mixes_by_alpha(const Resample& resample, const Form& form) {
    return mixes(resample) && form.has_alpha() && resample.alpha == AlphaMode::premultiply;
}

bool mixes_light(const Resample& resample, const Form& form) {
    return mixes(resample) && resample.linear && form.depth != Depth::f32;
}

Depth between_depth(const Resample& resample, const Form& form) {
    const bool is_short =
        form.depth == Depth::u8 && !mixes_by_alpha(resample, form) && !mixes_light(resample, form);
    return is_short ? Depth::u16 : Depth::f32;
}

double resample_row_cost(const Resample& resample, int channels) {
    const double taps = 2 * reach_of(resample.x.filter);
    const double across = taps * std::max(resample.x.scale(), 1.0) * resample.x.to;
    return channels * (across + resample.x.to) * std::max(taps * resample.y.scale(), taps);
}

Rect source_of(const Resample& resample, const Rect& result) {
    const auto along = [](const Stretch& stretch, int from, int count) {
        const Span first = window_of(stretch, from);
        const Span last = window_of(stretch, from + count - 1);
        return Span{first.first, last.first + last.count - first.first};
    };
    const Span x = along(resample.x, result.x, result.width);
    const Span y = along(resample.y, result.y, result.height);
    return {x.first, y.first, x.count, y.count};
}

GpuImage run_resample(Context& gpu, const Resample& resample, const GpuImage& part, const Rect& rect,
                      const Rect& result) {
    const Work work{part.form(), mixes_by_alpha(resample, part.form()), mixes_light(resample, part.form())};
    const bool along_x = !resample.x.is_whole();
    const bool along_y = !resample.y.is_whole();
    if (!along_x && !along_y) {
        return run_move(gpu, {}, {resample.x.from, resample.y.from, part.channels(), part.depth()}, part,
                        rect, result);
    }
    GpuImage image = gpu.make_image({result.width, result.height, part.channels(), part.depth()}, "result");
    if (!along_y) {
        run_axis(gpu, work, 0, resample.x, true, true, part, rect.x, image, result.x);
    } else if (!along_x) {
        run_axis(gpu, work, 1, resample.y, true, true, part, rect.y, image, result.y);
    } else {
        const bool pairs = takes_pairs(gpu, work, resample, part);
        if (pairs && run_strips(gpu, resample, part, rect, image, result)) {
            return image;
        }
        GpuImage between =
            gpu.make_image({result.width, rect.height, part.channels(), between_depth(resample, part.form())},
                           "resample.between");
        if (pairs) {
            run_across(gpu, resample.x, part, rect.x, between, result.x);
        } else {
            run_axis(gpu, work, 0, resample.x, true, false, part, rect.x, between, result.x);
        }
        run_axis(gpu, work, 1, resample.y, false, true, between, rect.y, image, result.y);
    }
    return image;
}

} // namespace glproc
