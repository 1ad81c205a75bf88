#include "glproc/base/covering.hpp"
#include "glproc/ops/histogram/count.hpp"

#include "glproc/gl/tuning.hpp"

#include <algorithm>

namespace glproc {

namespace {

constexpr auto histogram_variants = tuning<HistogramVariant>(
    {{"llvmpipe", any_radius, HistogramVariant::cpu,
      "2448x1505 RGB8, luma: cpu 7.9 ms and 3.9 for the download, shared_reduce 65 (llvmpipe, Mesa 22.3.6, "
      "two busy cores, 2026-11-20)"},
     {"nvidia", any_radius, HistogramVariant::fused,
      "8192x8192 RGBA8, random, r,g,b,luma: fused 0.128 ms, shared_reduce 0.328 before loops were unrolled "
      "(NVIDIA H200, driver 580.159.04, 2026-11-20)"},
     {"", any_radius, HistogramVariant::shared_reduce, "needs no tuning; not measured on other GPUs yet"}});

constexpr std::int64_t slot_bytes = sizeof(std::uint32_t);

SlicePlan plan_slices(const Limits& limits, std::int64_t slots) {
    // Three sizes of the shared array, so that few programs are needed: small ones, which let many groups
    // share a multiprocessor, and all there is.
    const std::int64_t most_shared = limits.shared_bytes / slot_bytes;
    const std::int64_t bucket = slots <= small_slots ? small_slots : slots <= 4096 ? 4096 : most_shared;
    const std::int64_t shared = std::min(bucket, most_shared);
    const std::int64_t slices = covering(slots, shared);
    return {.shared_slots = static_cast<int>(shared),
            .slices = static_cast<int>(slices),
            .slice_slots = static_cast<int>(covering(slots, slices))};
}

/// A group clears and writes its slots: it should count several times as many pixels.
std::int64_t worthwhile_texels(const GroupShape& group, std::int64_t slots) {
    return std::max(4 * group.invocations(), 2 * slots);
}

} // namespace

unsigned CountedSet::bit(HistogramChannel channel) const {
    const bool is_grey = grey_ && channel != HistogramChannel::alpha;
    return 1U << static_cast<unsigned>(is_grey ? HistogramChannel::red : channel);
}

CountedSet::CountedSet(const Form& image, const std::vector<HistogramChannel>& channels)
    : grey_(image.channels < 3) {
    for (const HistogramChannel channel : channels) {
        mask_ |= bit(channel);
    }
}

HistogramVariant tuned_histogram(const DeviceInfo& device) {
    return tuned(histogram_variants, device);
}

ChunkPlan plan_chunks(const Limits& limits, std::int64_t slots, std::int64_t columns,
                      const GroupShape& group) {
    constexpr std::int64_t budget = std::int64_t{64} << 20U; // bytes
    constexpr std::int64_t most_chunks = 4096;               // fill any device; the grid allows 65535
    const std::int64_t fit = std::min(budget, limits.storage_block_bytes) / (slots * slot_bytes);
    const std::int64_t allowed = std::clamp<std::int64_t>(fit, 1, most_chunks);
    const std::int64_t worthwhile = covering(worthwhile_texels(group, slots), group.height);
    ChunkPlan plan{plan_slices(limits, slots)};
    plan.chunk_columns =
        covering(std::max(worthwhile, covering(columns, allowed)), group.width) * group.width;
    plan.chunks = covering(columns, plan.chunk_columns);
    return plan;
}

FusedPlan plan_fused(const Limits& limits, std::int64_t slots, std::int64_t texels,
                     std::int64_t resident_groups) {
    FusedPlan plan{plan_slices(limits, slots)};
    const std::int64_t room = std::max<std::int64_t>(resident_groups / plan.slices, 1);
    plan.groups = std::min(room, covering(texels, worthwhile_texels(fused_group, slots)));
    plan.steps = covering(texels, plan.groups * fused_group.width);
    return plan;
}

} // namespace glproc
