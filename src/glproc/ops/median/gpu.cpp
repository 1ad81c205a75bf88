#include "glproc/base/covering.hpp"
#include "glproc/kinds/fetched.hpp"
#include "glproc/op/pacer.hpp"
#include "glproc/ops/median/parts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

namespace glproc {

namespace {

constexpr int most_turns = 65000;                  // see loops_end_early in workarounds.cpp
constexpr std::int64_t groups_wanted = 132LL * 64; // fills the largest GPU measured twice

/// The largest radius of glsl/median/bits.comp, and of thresholds.comp.
constexpr int most_of_bits = 7;
constexpr int most_of_thresholds = 15;

/// The same as in glsl/median/bits.comp.
struct BitsSize {
    static constexpr int columns = 512; ///< of one channel of the result, a group
    static constexpr int rows = 32;
    static constexpr int invocations = 128;
};

/// The same as in glsl/median/thresholds.comp.
struct ThresholdsSize {
    static constexpr int columns = 64; ///< of the result, a group
    static constexpr int rows = 64;
    static constexpr int invocations = 96;
    static constexpr int tried = 4;
};

bool has_few_turns(Context& gpu) {
    return gpu.device().has_workaround("loops_end_early");
}

Defines defines_of(const Form& form, const Median& median) {
    return rank_defines(form, median.border, median.alpha);
}

void supply(Pass& pass, const GpuImage& src, const Median& median) {
    pass.reads("i_src", src)
        .set("u_size", Int2{src.width(), src.height()})
        .set("u_border_texel", rank_border_texel(src.form(), median.border));
}

/// For floats: the rank among each number of values that may be present.
Buffer make_ranks(Context& gpu, const Median& median) {
    std::vector<std::uint32_t> ranks;
    for (int count = 0; count <= box_pixels(median); ++count) {
        ranks.push_back(rank_among(median.percentile, count));
    }
    Buffer buffer = gpu.make_buffer(ranks.size() * sizeof(std::uint32_t), "ranks");
    buffer.write(ranks);
    return buffer;
}

int count_bits(const Median& median) {
    return box_pixels(median) <= 255 ? 8 : 16;
}

/// Values of a row that a group of `histogram` stores: as many as shared memory has histograms for, so that
/// some work while others wait.
int group_values(const Limits& limits, const Median& median) {
    constexpr std::int64_t warp = 32;
    constexpr std::int64_t most = 64; // of 128, radius 5 takes 7 % longer
    const std::int64_t value_bytes = 32LL * count_bits(median) + 17;
    const std::int64_t fit = (limits.shared_bytes - 4224) / value_bytes / warp * warp;
    return static_cast<int>(std::clamp(std::min(fit, limits.group_invocations / warp * warp), warp, most));
}

/// Turns of all loops that an invocation of `histogram` takes at most before its first row, and for each.
struct LoopTurns {
    double before;
    double row;
};

LoopTurns histogram_turns(const Limits& limits, const Form& form, const Median& median) {
    const int pixels = pixels_per_texel(form);
    const int lanes = pixels * stored_channels(form.channels);
    const int reach = covering(median.radius.x, pixels);
    const int digits = static_cast<int>(bytes_of(form.depth));
    const int side_x = 2 * median.radius.x + 1;
    const int side_y = 2 * median.radius.y + 1;
    const double group = group_values(limits, median);
    const double own_texels = std::ceil((group / lanes + 2.0 * reach) / group);
    const double stage = own_texels * (lanes + 8);
    const double count = side_x / 8 + side_x % 8 + 2;
    const double find = 128 + lanes + 8;
    if (digits == 1) {
        return {side_y * (stage + count + 1) + 64, 2 * stage + 2 * count + find};
    }
    return {8, digits * (side_y * (stage + count + 1) + find + 32)};
}

/// The least number of values in a box that must not be below the wanted one.
int count_enough(const Median& median) {
    const int pixels = box_pixels(median);
    return pixels - static_cast<int>(rank_among(median.percentile, pixels));
}

/// Runs a pass whose groups make tiles of the result.
void run_tiles(Context& gpu, const Pass& pass, const GpuImage& src, PerAxis<int> tile, const Pacer& pacer) {
    pacer.run(gpu, src.height(), [&](int first, int end) {
        Pass(pass)
            .set("u_first_row", first)
            .set("u_end_row", end)
            .groups(covering(src.width(), tile.x), covering(end - first, tile.y));
    });
}

/// Whether two channels are compared at once.
bool is_packed(Context& gpu, const Form& form) {
    return form.depth == Depth::u8 && stored_channels(form.channels) == 4 && gpu.device().is("nvidia");
}

} // namespace

GpuImage run_network(Context& gpu, const GpuImage& src, const Median& median) {
    GpuImage dst = gpu.make_image(src.form(), "median");
    Defines defines = defines_of(src.form(), median);
    defines["RADIUS"] = std::to_string(median.radius.x);
    defines["FETCHED"] = fetched(gpu.device());
    defines["PACKED"] = std::to_string(is_packed(gpu, src.form()) ? 1 : 0);
    const bool is_float = src.depth() == Depth::f32;
    const int rows =
        is_float && has_few_turns(gpu) ? 12 : 32; // if values are missing, finding one takes some 1000 turns
    Pass pass = gpu.pass("median.network", "median/network.comp", defines);
    supply(pass, src, median);
    std::optional<Buffer> ranks;
    if (is_float) {
        ranks.emplace(make_ranks(gpu, median));
        pass.reads("b_ranks", *ranks);
    }
    pass.writes("i_dst", dst).set("u_rows", rows).over(src.texture().width(), covering(src.height(), rows));
    return dst;
}

bool can_run_bits(const Limits& limits, const Form& form, const Median& median) {
    const int bytes = 1472 * (16 + stored_channels(form.channels));
    return form.depth == Depth::u8 && std::max(median.radius.x, median.radius.y) <= most_of_bits &&
           bytes <= limits.shared_bytes && BitsSize::invocations <= limits.group_invocations;
}

GpuImage run_bits(Context& gpu, const GpuImage& src, const Median& median) {
    using Size = BitsSize;
    GpuImage dst = gpu.make_image(src.form(), "median");
    const int channels = src.stored_channels();
    Defines defines = defines_of(src.form(), median);
    defines.erase("SRC_DEPTH");
    if (src.channels() == 3) {
        defines["KEEP"] = std::to_string(0); // the fourth channel is computed in any case
    }
    defines["FETCHED"] = fetched(gpu.device());
    defines["REST"] = std::to_string((2 * median.radius.x + 1) % 4);
    Pass pass = gpu.pass("median.bits", "median/bits.comp", defines);
    supply(pass, src, median);
    pass.writes("i_dst", dst)
        .set("u_radius", Int2{median.radius.x, median.radius.y})
        .set("u_halfway", 4)
        .set("u_enough", count_enough(median));
    const Pacer pacer{.row_work = double(src.width()) * channels * box_pixels(median) / 8,
                      .grain = Size::rows};
    run_tiles(gpu, pass, src, {Size::columns / channels, Size::rows}, pacer);
    return dst;
}

bool can_run_thresholds(const Limits& limits, const Form& form, const Median& median) {
    using Size = ThresholdsSize;
    const int counts = Size::tried * 5 * 2 * Size::invocations;
    const int results = 8 * 2 * Size::rows * stored_channels(form.channels);
    return form.depth == Depth::u8 && std::max(median.radius.x, median.radius.y) <= most_of_thresholds &&
           4 * (counts + results + 2) <= limits.shared_bytes && Size::invocations <= limits.group_invocations;
}

GpuImage run_thresholds(Context& gpu, const GpuImage& src, const Median& median) {
    using Size = ThresholdsSize;
    GpuImage dst = gpu.make_image(src.form(), "median");
    Defines defines = defines_of(src.form(), median);
    defines.erase("SRC_DEPTH");
    defines["STEPS"] = std::to_string(std::bit_width(2U * unsigned(median.radius.x) + 1) - 1);
    Pass pass = gpu.pass("median.thresholds", "median/thresholds.comp", defines);
    supply(pass, src, median);
    const int channels = src.stored_channels() - (defines.at("KEEP") == "1" ? 1 : 0);
    pass.writes("i_dst", dst)
        .set("u_radius", Int2{median.radius.x, median.radius.y})
        .set("u_channels", channels)
        .set("u_tried", Size::tried)
        .set("u_enough", count_enough(median));
    constexpr double usual = 60; // thresholds that a group of a picture tries
    const Pacer pacer{.row_work = 4 * usual * src.width() * channels, .grain = Size::rows};
    run_tiles(gpu, pass, src, {Size::columns, Size::rows}, pacer);
    return dst;
}

bool can_run_histogram(Context& gpu, const Form& form, const Median& median) {
    const LoopTurns turns = histogram_turns(gpu.limits(), form, median);
    return !has_few_turns(gpu) || turns.before + turns.row <= most_turns;
}

GpuImage run_histogram(Context& gpu, const GpuImage& src, const Median& median) {
    GpuImage dst = gpu.make_image(src.form(), "median");
    const bool is_float = src.depth() == Depth::f32;
    const bool walks = src.depth() == Depth::u8;
    const int side_y = 2 * median.radius.y + 1;
    const int group = group_values(gpu.limits(), median);
    const int group_texels = group * static_cast<int>(bytes_of(src.depth())) / 16;
    const std::int64_t strips = covering(src.texture().width(), group_texels);
    const std::int64_t share = src.height() * strips / groups_wanted;
    int rows = static_cast<int>(std::max<std::int64_t>(share, walks ? 2 * side_y : 1));
    if (has_few_turns(gpu)) {
        const LoopTurns turns = histogram_turns(gpu.limits(), src.form(), median);
        rows = std::min(rows, std::max(1, static_cast<int>((most_turns - turns.before) / turns.row)));
    }
    Defines defines = defines_of(src.form(), median);
    defines["COUNT_BITS"] = std::to_string(count_bits(median));
    defines["GROUP"] = std::to_string(group);
    Pass pass = gpu.pass("median.histogram", "median/histogram.comp", defines);
    supply(pass, src, median);
    std::optional<Buffer> ranks;
    if (is_float) {
        ranks.emplace(make_ranks(gpu, median));
        pass.reads("b_ranks", *ranks);
    } else {
        pass.set("u_rank", rank_among(median.percentile, box_pixels(median)));
    }
    pass.writes("i_dst", dst).set("u_radius", Int2{median.radius.x, median.radius.y}).set("u_rows", rows);
    const double values = double(src.width()) * src.stored_channels();
    const double work = walks ? 2.0 * median.radius.x + 1
                              : double(box_pixels(median)) * static_cast<double>(bytes_of(src.depth()));
    const Pacer pacer{.row_work = 4 * values * work, .grain = rows};
    pacer.run(gpu, src.height(), [&](int first, int end) {
        Pass(pass)
            .set("u_first_row", first)
            .set("u_end_row", end)
            .groups(strips, covering(end - first, rows));
    });
    return dst;
}

} // namespace glproc
