#include "glproc/gl/tuning.hpp"

#include "glproc/base/error.hpp"
#include "glproc/gl/context.hpp"

#include <array>
#include <string>

#include <fmt/format.h>

namespace glproc {

namespace {

// Each row has the measurement that decided, in a sentence; docs/tuning.md has all of them, and the attempts
// that gained nothing.
constexpr std::array rows{
    TuningRow{"program store", "llvmpipe", "on", -1,
              "a blur's two programs: 9.4 ms to make them without the store, 3.9 with it (llvmpipe, "
              "Mesa 22.3.6, two cores, 2026-11-20)"},
    TuningRow{
        "program store", "", "on", -1,
        "with HOME a new folder, in which the driver keeps no programs, a blur of a photo makes its "
        "programs in 2140 ms without the store and 22 with it (NVIDIA H200, driver 580.159.04, 2026-11-22)"},
    TuningRow{"programs of one picture", "nvidia", "soon", -1,
              "2448x1505 RGB8, blur of sigma 2, with an empty store: compiled in 110 ms with loops left as "
              "they are and on the "
              "driver's threads, 620 without (NVIDIA H100, driver 580.159.04, 2026-11-25)"},
    TuningRow{"programs of one picture", "", "as always", -1,
              "Mesa's compilers decide on loops by themselves"},
    TuningRow{"transfer", "llvmpipe", "texture", -1,
              "the device's memory is the CPU's: what a driver copies, it copies once"},
    TuningRow{"transfer", "", "mapped", -1,
              "268 MB of texels: from the GPU 28 ms, glGetTexImage 58; to it 33, glTexSubImage2D 36 "
              "(NVIDIA H200, driver 580.159.04, 2026-11-22)"},
    TuningRow{
        "exact filter", "llvmpipe", "walk", 12,
        "2448x1505 RGB8, sigma 2: walk 27 ms, and 58 until 2026-11-22; direct 234, window 600 (llvmpipe, "
        "Mesa 22.3.6, two cores, 2026-11-20)"},
    TuningRow{"exact filter", "llvmpipe", "direct", -1, "see above; the only one without a limit"},
    TuningRow{"exact filter", "", "window", 16,
              "8192x8192 RGBA8, sigma 2: window 0.81 ms, direct 7.13, tiled 7.60 (NVIDIA H200, driver "
              "580.159.04, 2026-11-22)"},
    TuningRow{"exact filter", "", "direct", -1, "see above; the only one without a limit"},
    TuningRow{"rows summed", "llvmpipe", "4", -1,
              "1024x1024 floats, sigma 8, along y: 4 rows an invocation 19 ms, 1 row 35 (llvmpipe, Mesa "
              "22.3.6, two "
              "busy cores, 2026-11-24)"},
    TuningRow{"rows summed", "", "1", -1, "loads that a GPU's caches serve; 4 not measured there"},
    TuningRow{
        "fast blur", "llvmpipe", "walk", -1,
        "2448x1505 RGBA8, sigma 10: walk 31 ms, groups 86 (llvmpipe, Mesa 22.3.6, two cores, 2026-11-22)"},
    TuningRow{"fast blur", "", "groups", -1,
              "8192x8192 RGBA8, sigma 10: groups 0.67 ms; walk not measured (NVIDIA H200, driver 580.159.04, "
              "2026-11-22)"},
    TuningRow{"box", "llvmpipe", "walk", 12,
              "2448x1505 RGBA8, straight alpha, radius 8 and 12: walk 30 and 53 ms, fast 75 and 76 "
              "(llvmpipe, Mesa 22.3.6, two cores, 2026-11-22)"},
    TuningRow{"box", "llvmpipe", "fast", -1,
              "2448x1505 RGBA8, radius 50: fast 104 ms, direct 841 (llvmpipe, Mesa 22.3.6, two busy cores, "
              "2026-11-20)"},
    TuningRow{"box", "", "window", 12,
              "8192x8192 RGBA8, straight alpha, radius 5: window 0.51 ms, fast in two passes 1.88 (NVIDIA "
              "H200, driver 580.159.04, 2026-11-20)"},
    TuningRow{"box", "", "fast", -1,
              "8192x8192 RGBA8, straight alpha, radius 15: fast in two passes 1.90 ms, direct more than 5.3 "
              "(NVIDIA H200, driver 580.159.04, 2026-11-20)"},
    TuningRow{"components", "llvmpipe", "runs", -1,
              "2448x1505, random, half of it set, labels and sums: runs 84 ms, gpu 305 (llvmpipe, Mesa 22.3.6, "
              "two busy cores, 2026-11-27)"},
    TuningRow{"components", "", "gpu", -1, "labels and sums stay on the device; runs need them in CPU memory"},
    TuningRow{"distance", "llvmpipe", "cpu", -1,
              "2448x1505, random, half of it sites: cpu 185 ms, gpu 1155 (llvmpipe, Mesa 22.3.6, two busy "
              "cores, 2026-11-26); cpu about half of that since 2026-11-27"},
    TuningRow{"distance", "", "gpu", -1, "see docs/tuning.md"},
    TuningRow{"stack", "llvmpipe", "cpu", -1, 
              "16 images of 2448x1505 RGBA8: mean cpu 272 ms, gpu 399; median 216 and 4076 (llvmpipe, Mesa 22.3.6, two busy "
              "cores, 2026-11-26)"},
    TuningRow{"stack", "", "gpu", -1, "the images are read once, and ranks found in them; not measured there"},
    TuningRow{"window", "llvmpipe", "direct", -1,
              "2448x1505 RGB8, bilateral with radius 5 and 9, whole commands: direct 1.19 and 3.51 s, blocks "
              "1.60 and 6.36 "
              "(llvmpipe, Mesa 22.3.6, two cores, 2026-11-25)"},
    TuningRow{"window", "", "blocks", -1, "what neighbours share is loaded once"},
    TuningRow{"window table", "llvmpipe", "computed", -1,
              "the same with radius 3, blocks: weights computed 0.91 s of CPU time, looked up in shared memory 1.07"},
    TuningRow{"window table", "", "computed", 5,
              "8192x8192 RGBA8, straight alpha, bilateral with radius 3 and 5: 2.93 and 6.05 ms, looked up 3.27 and 6.37 (NVIDIA "
              "H100, driver 580.159.04, 2026-11-26)"},
    TuningRow{"window table", "", "shared", -1, "the same with radius 9, columns of two: looked up 20.1 ms, computed 21.4"},
    TuningRow{"weighted window table", "llvmpipe", "computed", -1, "as where alpha is straight"},
    TuningRow{"weighted window table", "", "shared", -1,
              "8192x8192 RGBA8, colour weighted by alpha, bilateral with radius 3, 5 and 9: looked up 4.80, 10.9 and 42.2 ms, "
              "computed 5.66, 12.7 and 46.4 (NVIDIA H100, driver 580.159.04, 2026-11-26)"},
    TuningRow{
        "box in strips", "", "fast", -1,
        "8192x8192 RGBA8, straight alpha, radius 5 and 100: in strips 0.273 and 0.375 ms, in two passes "
        "1.88 and 1.68 (NVIDIA H200, driver 580.159.04, 2026-11-20)"},
    TuningRow{
        "box of weighted colour", "", "warps", 15,
        "8192x8192 RGBA8, alpha premultiplied, radius 15: a strip for each warp 0.463 ms, for groups of "
        "160 0.70, in two passes 3.1 (NVIDIA H200, driver 580.159.04, 2026-11-22)"},
    TuningRow{"box of weighted colour", "", "strips", -1,
              "the same with radius 100: in strips 0.612 ms, in two passes 3.1 (NVIDIA H200, driver "
              "580.159.04, 2026-11-22)"},
    TuningRow{
        "box of floats", "llvmpipe", "looks", -1,
        "2448x1505 RGB, radius 15, along y: 60 ms with a look at the result before it is stored, 110 without "
        "(llvmpipe, Mesa 22.3.6, two busy cores, 2026-11-22)"},
    TuningRow{"box of floats", "", "at once", -1, "loads that a GPU need not wait for; not measured there"},
    TuningRow{"median", "llvmpipe", "cpu", -1,
              "2448x1505 RGBA8, radius 5 and 15: cpu 0.61 and 1.2 s, histogram 4.2 and 13.8; radius 2: "
              "network 0.077 "
              "(llvmpipe, Mesa 22.3.6, two busy cores, 2026-11-22)"},
    TuningRow{"median of bytes", "llvmpipe", "cpu", -1, "see median"},
    TuningRow{"median of bytes", "", "bits", 7,
              "8192x8192 RGBA8, straight alpha, radius 5 and 7: bits 14.8 and 23.6 ms, thresholds 32.5 and "
              "36, histogram 28.8 for 5 (NVIDIA H200, driver 580.159.04, 2026-11-23)"},
    TuningRow{"median of bytes", "", "thresholds", -1,
              "the same with radius 15: bits 80.7 ms, thresholds 21.6, histogram 87"},
    TuningRow{"median", "", "histogram", -1, "the only one for any radius on a GPU"},
    TuningRow{"texels of neighbours", "llvmpipe", "loaded", -1,
              "2448x1505 RGB8: median of radius 1 60 ms with image loads, 111 with fetches; rotate 10 "
              "degrees 400 and 533 "
              "(llvmpipe, Mesa 22.3.6, two busy cores, 2026-11-22)"},
    TuningRow{"texels of neighbours", "", "fetched", -1,
              "8192x8192 RGBA8: sobel 0.349 ms with image loads, 0.304 with fetches; rotate 10 degrees 6.2 "
              "and 4.5 (NVIDIA "
              "H200, driver 580.159.04, 2026-11-22)"},
    TuningRow{"searched parameters", "llvmpipe", "uniforms", -1,
              "2048x2048, 16 bits, curve of four points: from a buffer 152 ms, from uniforms 102 (llvmpipe, "
              "Mesa 22.3.6, two cores, 2026-11-23)"},
    TuningRow{"searched parameters", "", "buffer", -1,
              "8192x8192, 16 bits, curve of four points: from a buffer 0.83 ms, from uniforms 1.15, as "
              "the lanes of a warp read different uniforms one at a time (NVIDIA H200, driver 580.159.04, "
              "2026-11-23)"},
    TuningRow{"rows looked up", "llvmpipe", "1", -1,
              "2048x2048 RGBA8, levels: 26 ms with 1 row an invocation in groups of 32 x 8, 39 in groups of "
              "8 x 32 (llvmpipe, Mesa 22.3.6, two cores, 2026-11-23)"},
    TuningRow{"rows looked up", "", "8", -1,
              "8192x8192 RGBA8, levels: 1, 2, 4 and 8 rows an invocation take 0.206, 0.179, 0.175 and 0.166 "
              "ms (NVIDIA H200, driver 580.159.04, 2026-11-23)"},
    TuningRow{"texels of columns", "llvmpipe", "loaded", -1, "see texels of neighbours"},
    TuningRow{"texels of columns", "", "loaded", 23,
              "8192x8192 RGBA8, dilation by a box of radius 15 and 20: 0.747 and 0.851 ms with image loads, "
              "0.887 and 0.875 with fetches (NVIDIA H200, driver 580.159.04, 2026-11-23)"},
    TuningRow{"texels of columns", "", "fetched", -1,
              "the same with radius 31, 50 and 100: 1.49, 1.46 and 1.20 ms with image loads, 1.15, 1.22 and "
              "0.980 with fetches"},
    TuningRow{
        "rows of texels", "nvidia", "paired", -1,
        "fast blur, sigma 10: 16-bit grey at 8192x8192 0.42 ms row by row and 0.36 in pairs, float RGBA at "
        "4096x4096 0.685 and 0.562 (NVIDIA H200, driver 580.159.04, 2026-11-22)"},
    TuningRow{"rows of texels", "", "single", -1,
              "elsewhere the lanes of a subgroup need not be side by side in a row of a group"},
    TuningRow{
        "turned stores", "llvmpipe", "registers", -1,
        "2448x1505 RGBA8, dilate by a box of radius 4, 5 and 7, three runs in turns: from registers 73, 61 "
        "and 65 ms, through shared memory 75, 77 and 82 (llvmpipe, Mesa 22.3.6, two cores, 2026-11-23)"},
    TuningRow{"turned stores", "", "shared", 7,
              "8192x8192 RGBA8, dilate by a box of radius 5: from registers 0.70 ms, through shared memory "
              "0.431 (NVIDIA H200, driver 580.159.04, 2026-11-22)"},
    TuningRow{"turned stores", "", "registers", -1,
              "the same with radius 15 and 100: 0.75 and 0.971 ms, through shared memory, 16 rows at a time, "
              "0.902 and 1.29"},
    TuningRow{"quarter turn", "llvmpipe", "registers", -1,
              "2448x1505 RGBA8, 90 degrees: squares in registers 20 ms, in shared memory 99 (llvmpipe, Mesa "
              "22.3.6, two cores, "
              "2026-11-22)"},
    TuningRow{"quarter turn", "", "shared", -1,
              "8192x8192 RGBA8, 90 degrees: 0.163 ms, where a copy takes 0.148 (NVIDIA H200, driver "
              "580.159.04, 2026-11-22)"},
    TuningRow{
        "resize", "llvmpipe", "lines", -1,
        "2448x1505 RGBA8, straight alpha, lanczos3, to half, a third and three halves: lines 60, 41 and "
        "190 ms, pairs 97, 36 and 261 (llvmpipe, Mesa 22.3.6, two busy cores, 2026-11-22)"},
    TuningRow{
        "resize", "", "pairs", -1,
        "8192x8192 RGBA8, straight alpha, lanczos3, to half, 1024 and 12288: pairs 0.339, 0.324 and 1.13 "
        "ms, lines 0.525, 0.467 and 1.55 (NVIDIA H200, driver 580.159.04, 2026-11-22)"},
    TuningRow{"convolution", "llvmpipe", "direct", -1,
              "2448x1505 RGB8, laplacian of sigma 2: along x and then along y 0.59 s, window 0.64 (llvmpipe, "
              "Mesa 22.3.6, two "
              "busy cores, 2026-11-22)"},
    TuningRow{"convolution", "", "window", -1,
              "8192x8192 RGBA8: 15x15 8.99 ms by direct, 7.54 by window; laplacian of sigma 2 13.4 along x "
              "and then along y, "
              "2.42 by window (NVIDIA H200, driver 580.159.04, 2026-11-22)"},
    TuningRow{"planes of films", "llvmpipe", "cpu", -1,
              "1920x1080, 4:2:0 of 8 bits: processor time of a film's frame 149 ms by kernels, 115 by the "
              "CPU (llvmpipe, "
              "Mesa 22.3.6, two busy cores, 2026-11-22)"},
    TuningRow{"planes of films", "", "kernels", -1,
              "the bus carries planes, which have fewer bytes; not measured the other way"},
    TuningRow{"histogram", "llvmpipe", "cpu", -1,
              "2448x1505 RGB8, luma: cpu 7.9 ms and 3.9 for the download, shared_reduce 65 (llvmpipe, Mesa "
              "22.3.6, two busy cores, 2026-11-20)"},
    TuningRow{"histogram", "nvidia", "fused", -1,
              "8192x8192 RGBA8, random, r,g,b,luma: fused 0.128 ms, shared_reduce 0.328 before loops were "
              "unrolled (NVIDIA H200, driver 580.159.04, 2026-11-20)"},
    TuningRow{"histogram", "", "shared_reduce", -1, "needs no tuning; not measured on other GPUs yet"},
    TuningRow{"histogram on the GPU", "nvidia", "fused", -1, "see histogram"},
    TuningRow{"histogram on the GPU", "", "shared_reduce", -1, "not measured on other GPUs yet"},
    TuningRow{"histogram group", "", "256x1", -1, "16x16 not measured yet"},
    TuningRow{"histogram resident groups", "", "132", -1,
              "a group for each of 132 multiprocessors was best in first tries (NVIDIA H200)"},
    TuningRow{"integral", "llvmpipe", "cpu", -1,
              "2448x1505 grey of 8 bits: cpu 30 ms, rows_columns 65, bands 80 (llvmpipe, Mesa 22.3.6, two "
              "busy cores, 2026-11-20)"},
    TuningRow{
        "integral", "", "bands", -1,
        "8192x8192 grey of 8 bits: bands 0.160 ms, tiles transposed in shared memory 0.268 (NVIDIA H200, "
        "driver 580.159.04, 2026-11-20)"},
    TuningRow{
        "array in a buffer", "nvidia", "16777216", -1,
        "bytes; larger arrays lie in blocks of a texture: lookback of 2^28 u32 takes 1.04 ms in buffers and "
        "0.600 in blocks (NVIDIA H200, driver 580.159.04, 2026-11-22)"},
    TuningRow{"array in a buffer", "", "0", -1,
              "any: not measured on other GPUs; on llvmpipe buffers and textures are the CPU's memory alike"},
    TuningRow{"scan", "llvmpipe", "cpu", -1, "see scan without subgroups"},
    TuningRow{
        "scan", "nvidia", "lookback", -1,
        "u32, 2^20, 2^24 and 2^28 values: lookback 0.0103, 0.0499 and 0.600 ms, subgroup 0.027, 0.107 and "
        "1.64 (NVIDIA H200, driver 580.159.04, 2026-11-22)"},
    TuningRow{"scan", "", "subgroup", -1, "not measured on other GPUs yet"},
    TuningRow{"scan without subgroups", "llvmpipe", "cpu", -1,
              "u32, 2^20 and 2^24 values, both transfers included: cpu 1.2 and 156 ms, blocked 37 and 548, "
              "lookback "
              "48 and 650 (llvmpipe, Mesa 22.3.6, two busy cores, 2026-11-20)"},
    TuningRow{"scan without subgroups", "", "blocked", -1,
              "u32, 2^20, 2^24 and 2^28 values: blocked 0.028, 0.136 and 1.76 ms, lookback 0.036, 0.379 and "
              "21.7 (NVIDIA H200, driver 580.159.04, without GL_KHR_shader_subgroup, 2026-11-20)"},
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

std::string fetched(const DeviceInfo& device) {
    return tuned_variant(device, "texels of neighbours") == "fetched" ? "1" : "0";
}

std::string paired_rows(const DeviceInfo& device, const Limits& limits) {
    const bool can = device.has_subgroup && limits.subgroup_size == 32;
    return can && tuned_variant(device, "rows of texels") == "paired" ? "1" : "0";
}

std::int64_t tuned_number(const DeviceInfo& device, std::string_view family) {
    return std::stoll(std::string(tuned_variant(device, family)));
}

} // namespace glproc
