#include "glproc/gl/tuning.hpp"

#include "glproc/error.hpp"
#include "glproc/gl/context.hpp"

#include <array>
#include <string>

#include <fmt/format.h>

namespace glproc {

namespace {

// The measurement that decided, in a sentence; docs/tuning.md has all of them, and what was tried without
// gain.
constexpr std::array rows{
    TuningRow{"program store", "llvmpipe", "on", -1,
              "a blur's two programs: 9.4 ms to make them without the store, 3.9 with it (llvmpipe, "
              "Mesa 22.3.6, two cores, 2026-11-20)"},
    TuningRow{
        "program store", "", "off", -1,
        "drivers of GPUs keep programs themselves: making three takes 4.6 ms with the store and 4.7 without, "
        "220 and 260 the first time (NVIDIA H200, driver 580.159.04, 2026-11-22)"},
    TuningRow{"transfer", "llvmpipe", "texture", -1,
              "the device's memory is the CPU's: what a driver copies, it copies once"},
    TuningRow{"transfer", "", "mapped", -1,
              "268 MB of texels: from the GPU 28 ms, glGetTexImage 58; to it 33, glTexSubImage2D 36 "
              "(NVIDIA H200, driver 580.159.04, 2026-11-22)"},
    TuningRow{"exact filter", "llvmpipe", "walk", 12,
              "2448x1505 RGB8, sigma 2: walk 27 ms, and 58 until 2026-11-22; direct 234, window 600 (llvmpipe, "
              "Mesa 22.3.6, two cores, 2026-11-20)"},
    TuningRow{"exact filter", "llvmpipe", "direct", -1, "see above; the only one without a limit"},
    TuningRow{"exact filter", "", "window", 16,
              "8192x8192 RGBA8, sigma 2: window 0.81 ms, direct 7.13, tiled 7.60 (NVIDIA H200, driver "
              "580.159.04, 2026-11-22)"},
    TuningRow{"exact filter", "", "direct", -1, "see above; the only one without a limit"},
    TuningRow{"box", "llvmpipe", "walk", 12,
              "2448x1505 RGBA8, straight alpha, radius 8 and 12: walk 30 and 53 ms, fast 75 and 76 "
              "(llvmpipe, Mesa 22.3.6, two cores, 2026-11-22)"},
    TuningRow{"box", "llvmpipe", "fast", -1, "see above"},
    TuningRow{"box", "", "window", 12, "see below"},
    TuningRow{
        "box", "", "fast", -1,
        "8192x8192 RGBA8, straight alpha, radius 5, 15, 100: fast in two passes 1.88, 1.90, 1.68 ms; window "
        "1.03, 1.61, none, 0.51 for radius 5 since its borders are made up from the strip; direct 5.3 and "
        "more. Groups of 64 and unrolled loops were slower (NVIDIA H200, "
        "driver 580.159.04, 2026-11-20)"},
    TuningRow{
        "box in strips", "", "fast", -1,
        "8192x8192 RGBA8, straight alpha, radius 5, 15, 60, 100: 0.273, 0.294, 0.364 and 0.375 ms, by window "
        "and "
        "in two passes 1.09, 1.88, none and 1.65. Groups of 160 for radius 5 and 100 with 42 to 128 and 250 "
        "rows; "
        "100 with 126, 168 and 500 rows 0.417, 0.490, 0.507. Did not help: subgroupExclusiveAdd (1.4 with "
        "borders as below), borders made up while a texel is loaded (0.298, 0.466), 4 rows a turn (0.289, "
        "0.414), 1 row (0.44), two turns' rows in shared memory (0.42), groups of 288 and 576 (0.282, "
        "0.394), two texels a lane (0.42), every other strip upwards, 8 rows in flight before the first turn "
        "(NVIDIA H200, driver 580.159.04, 2026-11-20)"},
    TuningRow{"box of weighted colour", "", "warps", 15,
              "8192x8192 RGBA8, alpha premultiplied, radius 15: a strip for each warp 0.465 ms, for groups "
              "of 160 0.70, in two "
              "passes 3.1 (NVIDIA H200, driver 580.159.04, 2026-11-22)"},
    TuningRow{"box of weighted colour", "", "strips", -1,
              "radius 60 and 100: 0.84 and 0.89 ms, in two passes 3.1 (NVIDIA H200, driver 580.159.04, "
              "2026-11-22)"},
    TuningRow{
        "histogram", "llvmpipe", "cpu", -1,
        "2448x1505 RGB8, a smooth picture with noise, luma and r,g,b,luma in 256 bins: cpu 7.9 and 40 ms "
        "(and 3.9 of download), shared_reduce 65 and 215 ms (llvmpipe, Mesa 22.3.6, two busy cores, "
        "2026-11-20)"},
    TuningRow{
        "histogram", "nvidia", "fused", -1,
        "8192x8192 RGBA8, luma random and constant, r,g,b,luma random and constant: fused 0.083, 0.082, "
        "0.128 "
        "and 0.089 ms. Before loops were unrolled, channels kept apart in shared memory and codes taken as "
        "bins: 0.133, 0.098, 0.373 and 0.25, shared_reduce 0.218, 0.216, 0.328 and 0.647, shared_sum 0.536, "
        "0.537, 0.691 and 1.36, global_atomic 16.2, 1.59, 26.0 and 10.5. Did not help: 4, 8 or 32 copies of "
        "the counts (0.128 at best, luma 0.114), runs of equal texels added at once (0.165; constant 0.068), "
        "1, 3, 4, 6 or 8 texels in flight for 2 (luma 0.100, 0.090, 0.097, 0.104, 0.109), two groups of 1024 "
        "or four of 512 a multiprocessor (luma 0.106, 0.117), luma by one wide multiplication (0.099) "
        "(NVIDIA H200, driver 580.159.04, 2026-11-20)"},
    TuningRow{"histogram", "", "shared_reduce", -1, "needs no tuning; not measured on other GPUs yet"},
    TuningRow{"histogram on the GPU", "nvidia", "fused", -1, "see histogram"},
    TuningRow{"histogram on the GPU", "", "shared_reduce", -1, "not measured on other GPUs yet"},
    TuningRow{"histogram group", "", "256x1", -1, "16x16 not measured yet"},
    TuningRow{"histogram resident groups", "", "132", -1,
              "a group for each of 132 multiprocessors was best in first tries (NVIDIA H200)"},
    TuningRow{
        "integral", "llvmpipe", "cpu", -1,
        "2448x1505 grey of 8 bits: cpu 30 ms, rows_columns 65, bands 80 (llvmpipe, Mesa 22.3.6, two busy "
        "cores, 2026-11-20)"},
    TuningRow{"integral", "", "bands", -1,
              "8192x8192 grey of 8 bits: bands 0.160 ms, of which 0.034 the sums of bands and strips, 0.022 "
              "the columns "
              "of both and 0.104 the walk; padded 0.23; 4096x4096 RGB 0.25, RGBA 0.185, grey of 16 bits "
              "0.072, of floats "
              "0.090; 2448x1505 grey 0.041. Bands of 32 rows; 64 and 128 0.155 and 0.161 (RGBA 0.199 with "
              "64). Rows two at a "
              "time; 1, 4 and 8 0.153, 0.159 and 0.167. Whole texels handed out through shared memory, "
              "loaded a turn ahead: "
              "0.190. The sums of bands with two lanes in a word, with 16 loads under way for 8, with rows "
              "1, 2 and 4 deep: "
              "within 0.003. A tile turned round in shared memory by a group that walks along its band took "
              "0.268, padded "
              "0.286, RGB 0.274, RGBA 0.279 (NVIDIA H200, driver 580.159.04, 2026-11-20)"},
    TuningRow{"array in a buffer", "nvidia", "16777216", -1,
              "bytes; larger arrays lie in blocks of a texture, which scan's lookback reads, while for other "
              "methods they are "
              "copied to a buffer: lookback of 2^22, 2^24, 2^26 and 2^28 u32 in buffers 0.0175, 0.0534, "
              "0.205 and 1.04 ms, in "
              "blocks 0.0177, 0.0499, 0.157 and 0.600 (NVIDIA H200, driver 580.159.04, 2026-11-22)"},
    TuningRow{"array in a buffer", "", "0", -1,
              "any: not measured on other GPUs; on llvmpipe buffers and textures are the CPU's memory alike"},
    TuningRow{"scan", "llvmpipe", "cpu", -1, "see scan without subgroups"},
    TuningRow{"scan", "nvidia", "lookback", -1,
              "u32, 2^20, 2^24 and 2^28 values: 0.0103, 0.0499 and 0.600 ms; up to 2^22 in groups of 512 "
              "with 3 quads, then in "
              "blocks in groups of 256 with 4; f32, 2^20 and 2^24: 0.0152 and 0.126, subgroup 0.0197 and "
              "0.098 (NVIDIA H200, "
              "driver 580.159.04, 2026-11-22). subgroup 0.027, 0.107 and 1.64, blocked 0.030, 0.140 and "
              "1.57, blelloch 0.279, "
              "0.776 and 33.1, hillis_steele 0.178 and 1.54 (2026-11-20)"},
    TuningRow{"scan", "", "subgroup", -1, "not measured on other GPUs yet"},
    TuningRow{"scan without subgroups", "llvmpipe", "cpu", -1,
              "u32, 2^20 and 2^24 values, both transfers included: cpu 1.2 and 156 ms, blocked 37 and 548, "
              "lookback 48 "
              "and 650, blelloch 53 and 842, hillis_steele 350 and 6220; groups of 8 with 8 quads each, "
              "since groups of "
              "256 with 2 take 95 (blocked) and 128 ms (lookback) (llvmpipe, Mesa 22.3.6, two busy cores, "
              "2026-11-20)"},
    TuningRow{"scan without subgroups", "", "blocked", -1,
              "u32, 2^20, 2^24 and 2^28 values: blocked 0.028, 0.136 and 1.76 ms, lookback 0.036, 0.379 and "
              "21.7 (NVIDIA "
              "H200, driver 580.159.04, without GL_KHR_shader_subgroup, 2026-11-20)"},
};

} // namespace

std::span<const TuningRow> tuning_rows() {
    return rows;
}

std::string_view tuned_variant(const DeviceInfo& device, std::string_view family, int radius) {
    for (const TuningRow& row : rows) {
        if (row.family == family && (row.max_radius < 0 || radius <= row.max_radius) &&
            device.is(row.renderer)) {
            return row.variant;
        }
    }
    throw Error(ErrorCode::operation, fmt::format("no tuning row for {}", family));
}

std::int64_t tuned_number(const DeviceInfo& device, std::string_view family) {
    return std::stoll(std::string(tuned_variant(device, family)));
}

} // namespace glproc
