#include "glproc/ops/scan/variants.hpp"

#include "glproc/base/covering.hpp"

#include <algorithm>
#include <bit>

namespace glproc {

namespace {

std::size_t bytes_of_words(std::int64_t words) {
    return static_cast<std::size_t>(words) * sizeof(std::uint32_t);
}

/// The defines of the kernels that work on tiles.
Defines tile_defines(const ScanPlan& plan) {
    return {{"GROUP", text(plan.group)}, {"QUADS", text(plan.quads)}};
}

Defines inner_defines(const ScanPlan& plan) {
    Defines defines = tile_defines(plan);
    defines["SUBGROUP"] = text(plan.subgroup);
    return defines;
}

/// ⌈log2 n⌉, the number of levels of a tree of n leaves.
std::uint32_t levels_of(std::uint32_t count) {
    return static_cast<std::uint32_t>(std::bit_width(count - 1));
}

} // namespace

void ScanMemory::prepare(Context& gpu) {
    if (!zero) {
        carry = gpu.make_buffer(sizeof(std::uint32_t), "scan.carry");
        zero = gpu.make_buffer(sizeof(std::uint32_t), "scan.zero");
        zero->fill(0);
    }
}

Buffer& ScanMemory::take_lookback(Context& gpu, std::size_t bytes) {
    constexpr std::uint32_t last_mark = 0xffff;
    if (!lookback || lookback->bytes() < bytes) {
        lookback.reset();
        lookback = gpu.make_buffer(bytes, "scan.lookback");
        mark = last_mark;
    }
    if (mark == last_mark) {
        lookback->fill(0);
        mark = 0;
    }
    ++mark;
    return *lookback;
}

Pass ScanJob::pass(std::string_view label, std::string_view kernel, Defines defines) const {
    defines["FLOAT"] = text(scan.type == ScanType::f32 ? 1 : 0);
    Pass pass = gpu.pass(label, kernel, defines);
    pass.reads("b_in", in.buffer, in.range())
        .updates("b_out", out.buffer, out.range())
        .set("u_count", count());
    return pass;
}

void run_hillis_steele(const ScanJob& job) {
    const std::uint32_t passes = std::max(levels_of(job.count()), 1U);
    // The passes go to and fro between two buffers, so that the last writes the result.
    Buffer scratch = job.gpu.make_buffer(bytes_of_words(passes > 1 ? job.count() : 1), "scan.scratch");
    const Words<Buffer> between{scratch, 0, job.in.count};
    for (std::uint32_t k = 0; k < passes; ++k) {
        const bool to_result = (passes - k) % 2 == 1;
        const Words<const Buffer> from = k == 0 ? job.in : to_result ? between : job.out;
        job.between(from, to_result ? job.out : between)
            .pass("scan.hillis_steele", "scan/hillis_steele.comp",
                  {{"FIRST", text(k == 0 ? 1 : 0)}, {"GROUP", "256"}})
            .reads("b_carry", job.carry)
            .set("u_exclusive", job.exclusive())
            .set("u_back", 1U << k)
            .over_1d(job.count());
    }
}

void run_blelloch(const ScanJob& job) {
    const auto level = [&](std::string_view label, int step, std::uint32_t stride) {
        job.pass(label, "scan/blelloch.comp", {{"STEP", text(step)}, {"GROUP", "256"}})
            .reads("b_carry", job.carry)
            .set("u_exclusive", job.exclusive())
            .set("u_stride", stride)
            .over_1d(step == 1 ? 1 : covering(std::int64_t{job.count()}, 2 * std::int64_t{stride}));
    };
    const std::uint32_t levels = std::max(levels_of(job.count()), 1U);
    for (std::uint32_t k = 0; k < levels; ++k) {
        level("scan.up_sweep", 0, 1U << k);
    }
    level("scan.clear", 1, 0);
    for (std::uint32_t k = levels; k-- > 0;) {
        level("scan.down_sweep", 2, 1U << k);
    }
}

void run_blocked(const ScanJob& job) {
    const std::int64_t tiles = covering(std::int64_t{job.count()}, job.plan.tile_words());
    Buffer sums = job.gpu.make_buffer(bytes_of_words(tiles), "scan.sums");
    job.pass("scan.tiles", "scan/blocked.comp", inner_defines(job.plan))
        .writes("b_out_words", job.out.buffer, job.out.range())
        .writes("b_sums", sums)
        .reads("b_carry", job.carry)
        .set("u_exclusive", job.exclusive())
        .set("u_only_tile", tiles == 1 ? 1 : 0)
        .groups_1d(tiles);
    if (tiles == 1) {
        return;
    }
    const auto count = static_cast<std::size_t>(tiles);
    Buffer before = job.gpu.make_buffer(bytes_of_words(tiles), "scan.before");
    Scan exclusive = job.scan;
    exclusive.exclusive = true;
    run_blocked({job.gpu, exclusive, job.plan, {sums, 0, count}, {before, 0, count}, job.carry});
    job.between(job.out, job.out)
        .pass("scan.add", "scan/add.comp", tile_defines(job.plan))
        .writes("b_out_words", job.out.buffer, job.out.range())
        .reads("b_before", before)
        .groups_1d(tiles);
}

namespace {

/// The defines of look-back over so many tiles.
Defines lookback_defines(const Scan& scan, const ScanPlan& plan, std::int64_t tiles, bool in_blocks) {
    const bool by_subgroups = plan.subgroup == 1 && scan.type != ScanType::f32;
    Defines defines = inner_defines(plan);
    defines["SUBGROUP_LANES"] = text(plan.subgroup == 1 ? plan.lanes : 0);
    defines["WINDOW"] = text(plan.window);
    defines["SPINS"] = text(plan.spins);
    defines["TICKETS"] = text(plan.tickets ? 1 : 0);
    defines["WINDOWS"] = text(by_subgroups && tiles <= plan.few_tiles ? 8 : 1);
    defines["LATE"] = text(plan.late != nullptr ? 1 : 0);
    defines["BLOCKS"] = text(in_blocks ? 1 : 0);
    return defines;
}

/// Gives the pass everything that look-back needs besides the values and a place for their sums, and runs it.
void run_lookback_pass(Pass& pass, Context& gpu, const Scan& scan, const ScanPlan& plan, std::int64_t tiles) {
    ScanMemory& memory = gpu.kept<ScanMemory>();
    Buffer& lookback = memory.take_lookback(gpu, bytes_of_words(4 + 4 * tiles));
    pass.updates("b_lookback", lookback)
        .set("u_exclusive", scan.exclusive ? 1 : 0)
        .set("u_tiles", static_cast<std::uint32_t>(tiles))
        .set("u_mark", memory.mark << 16U);
    if (plan.late != nullptr) {
        pass.updates("b_fallbacks", *plan.late->fallbacks)
            .set("u_late_first", plan.late->first)
            .set("u_late_last", plan.late->last)
            .set("u_late_words", plan.late->words)
            .set("u_late_shared", plan.late->shared ? 1 : 0);
    }
    pass.groups_1d(tiles);
}

} // namespace

void run_lookback(const ScanJob& job) {
    const std::int64_t tiles = covering(std::int64_t{job.count()}, job.plan.tile_words());
    Pass pass =
        job.pass("scan.lookback", "scan/lookback.comp", lookback_defines(job.scan, job.plan, tiles, false));
    pass.writes("b_out_words", job.out.buffer, job.out.range()).reads("b_carry", job.carry);
    run_lookback_pass(pass, job.gpu, job.scan, job.plan, tiles);
}

void run_scan_of_blocks(Context& gpu, const Scan& scan, const ScanPlan& plan, const GpuArray& in,
                        GpuArray& out) {
    ScanMemory& memory = gpu.kept<ScanMemory>();
    memory.prepare(gpu);
    const auto count = static_cast<std::uint32_t>(in.count());
    const std::int64_t tiles = covering(std::int64_t{count}, plan.tile_words());
    Defines defines = lookback_defines(scan, plan, tiles, true);
    defines["FLOAT"] = text(scan.type == ScanType::f32 ? 1 : 0);
    Pass pass = gpu.pass("scan.lookback", "scan/lookback.comp", defines);
    pass.reads("i_in", in.blocks())
        .writes("i_out", out.blocks())
        .reads("b_carry", *memory.zero)
        .set("u_count", count);
    run_lookback_pass(pass, gpu, scan, plan, tiles);
}

} // namespace glproc
