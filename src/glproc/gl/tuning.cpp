#include "glproc/gl/tuning.hpp"

#include "glproc/error.hpp"
#include "glproc/gl/context.hpp"

#include <array>
#include <string>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr std::array rows{
    TuningRow{
        "program store", "llvmpipe", "on", -1,
        "a blur's two programs, Mesa's own shader cache warm: 9.4 ms to make them without the store, 3.9 "
        "with it, as Mesa's compiler then need not start; its cache also keeps the machine code, "
        "without which it is 181 and 150 ms (llvmpipe, Mesa 22.3.6, two cores, 2026-11-20)"},
    TuningRow{"program store", "", "off", -1,
              "the drivers of AMD, Intel and NVIDIA keep programs themselves; not measured"},
    TuningRow{
        "exact filter", "llvmpipe", "direct", -1,
        "barriers are dear: sigma 2 at 4 MP takes 360 ms in shared-memory tiles, 55 ms in two direct passes "
        "(llvmpipe, Mesa 22.3.6, 2026-11-20)"},
    TuningRow{"exact filter", "", "window", 16,
              "8192x8192 RGBA8, window, direct, tiled: sigma 0.5 0.66, 3.42, 2.71 ms; sigma 1 0.72, 4.51, 3.77; "
              "sigma 2 0.98, 7.13, 7.60; sigma 4 2.1, 21.1, 26.3. Half-precision sums were slower than single ones "
              "(NVIDIA H200, driver 580.159.04, 2026-11-20)"},
    TuningRow{"exact filter", "", "direct", -1, "see above; the only one without a limit"},
    TuningRow{"blur", "llvmpipe", "fast", -1, "from sigma 2.5 on, where it begins to be near enough"},
    TuningRow{"blur", "", "window", 13,
              "8192x8192 RGBA8, window and fast: sigma 3 1.43 and 2.9 ms, sigma 4 2.1 and 1.6 ms; fast sigma 10 0.88, "
              "sigma 50 0.81, sigma 200 0.92 ms (NVIDIA H200, driver 580.159.04, 2026-11-20)"},
    TuningRow{"blur", "", "fast", -1, "see above"},
    TuningRow{"box", "", "fast", -1, "not measured yet"},
    TuningRow{
        "histogram", "llvmpipe", "cpu", -1,
        "2448x1505 RGB8, a smooth picture with noise, luma and r,g,b,luma in 256 bins: cpu 7.9 and 40 ms "
        "(and 3.9 of download), shared_reduce 65 and 215 ms (llvmpipe, Mesa 22.3.6, two busy cores, "
        "2026-11-20)"},
    TuningRow{
        "histogram", "nvidia", "fused", -1,
        "8192x8192 RGBA8, luma random and constant, r,g,b,luma random and constant: fused 0.133, 0.098, "
        "0.373 and "
        "0.581 ms, shared_reduce 0.218, 0.216, 0.328 and 0.647, shared_sum 0.536, 0.537, 0.691 and 1.36, "
        "global_atomic 16.2, 1.59, 26.0 and 10.5; 2448x1505: fused 0.015, 0.012, 0.032 and 0.025, serial 504 "
        "and "
        "more (NVIDIA H200, driver 580.159.04, 2026-11-20)"},
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
    TuningRow{"integral", "", "bands", -1, "moves least, each pixel read twice; not measured yet"},
    TuningRow{"scan", "llvmpipe", "cpu", -1, "see scan without subgroups"},
    TuningRow{
        "scan", "", "subgroup", -1,
        "u32, 2^20, 2^24 and 2^28 values: subgroup 0.024, 0.108 and 3.76 ms, lookback 0.023, 0.235 and 16.8, "
        "blocked "
        "0.028, 0.136 and 1.76, blelloch 0.279, 0.776 and 33.1, hillis_steele 0.178 and 1.54; why look-back "
        "falls behind from 2^24 on is not known yet (NVIDIA H200, driver 580.159.04, 2026-11-20)"},
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

} // namespace glproc
