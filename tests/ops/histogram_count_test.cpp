#include "glproc/ops/histogram/count.hpp"

#include "support/catch.hpp"
#include "support/fixture.hpp"
#include "support/inputs.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

using namespace glproc;
using namespace glproc::test;
using enum HistogramChannel;

namespace {

/// The counts of all channels, bin by bin.
std::vector<std::uint32_t> interleaved(const std::vector<ChannelCounts>& channels) {
    std::vector<std::uint32_t> counts;
    for (std::size_t bin = 0; bin < channels.front().counts.size(); ++bin) {
        for (const ChannelCounts& channel : channels) {
            counts.push_back(static_cast<std::uint32_t>(channel.counts[bin]));
        }
    }
    return counts;
}

void check_slices(const SlicePlan& plan, const Limits& limits, std::int64_t slots) {
    CHECK(std::int64_t{plan.shared_slots} * 4 <= limits.shared_bytes);
    CHECK(plan.slice_slots <= plan.shared_slots);
    CHECK(std::int64_t{plan.slices} * plan.slice_slots >= slots);
    CHECK((plan.slices - 1) * std::int64_t{plan.slice_slots} < slots);
    CHECK(plan.slices <= 65535);
}

void check_chunks(const Limits& limits, std::int64_t slots, std::int64_t columns, const GroupShape& group) {
    const ChunkPlan plan = plan_chunks(limits, slots, columns, group);
    check_slices(plan, limits, slots);
    CHECK(plan.chunk_columns % group.width == 0);
    CHECK(plan.chunks * plan.chunk_columns >= columns);
    CHECK((plan.chunks - 1) * plan.chunk_columns < columns);
    CHECK(plan.chunks * slots * 4 <= std::min<std::int64_t>(limits.storage_block_bytes, 64 << 20));
    CHECK(plan.chunks <= 65535);
}

void check_fused(const Limits& limits, std::int64_t slots, std::int64_t texels, std::int64_t resident) {
    const FusedPlan plan = plan_fused(limits, slots, texels, resident);
    check_slices(plan, limits, slots);
    CHECK(std::int64_t{plan.shared_slots} * 4 <= limits.shared_bytes);
    CHECK(plan.groups >= 1);
    CHECK(plan.groups <= resident);
    CHECK(plan.groups * plan.steps * 1024 >= texels);
    CHECK(plan.groups * (plan.steps - 1) * 1024 < texels);
}

} // namespace

TEST_CASE("a plan stays within the limits and leaves nothing out") {
    Limits limits;
    for (const std::int64_t shared : {8192, 16384, 32768, 49152, 49151}) {
        for (const std::int64_t block : {16 << 20, 128 << 20, 2047 << 20}) {
            for (const std::int64_t slots : {1, 2, 255, 256, 257, 258, 8192, 8193, 12288, 65538, 5 * 65538}) {
                for (const std::int64_t texels : {1LL, 256LL, 1000003LL, 1LL << 26, 1LL << 30}) {
                    limits.shared_bytes = shared;
                    limits.storage_block_bytes = block;
                    INFO(shared << " shared, " << block << " block, " << slots << " slots, " << texels
                                << " texels");
                    check_chunks(limits, slots, texels, {256, 1});
                    check_chunks(limits, slots, (texels + 15) / 16, {16, 16});
                    check_fused(limits, slots, texels, 1);
                    check_fused(limits, slots, texels, 132);
                }
            }
        }
    }
}

TEST_CASE("every tuning gives the same counts") {
    for (const Size& size : {Size{1, 1}, Size{515, 3}, Size{3, 515}, Size{259, 131}}) {
        const Image image = photo_like_image({size.width, size.height, 3, Depth::u8});
        const GpuImage on_gpu = gpu().upload(image);
        Histogram asked{.bins = 100, .channels = {luma, red, green, blue}, .variant = HistogramVariant::cpu};
        const auto expected = interleaved(asked(gpu(), on_gpu));
        for (const auto& row : enum_rows<HistogramVariant>) {
            asked.variant = row.value;
            for (const HistogramTuning& tuning : {HistogramTuning{{256, 1}, 1}, HistogramTuning{{16, 16}, 3},
                                                  HistogramTuning{{16, 16}, 500}}) {
                INFO(row.name << ", " << describe(image));
                CHECK(count_on_gpu_buffer(gpu(), on_gpu, asked, tuning).read<std::uint32_t>(400) == expected);
            }
        }
    }
}

TEST_CASE("counts that stay on the GPU lie bin by bin, channel beside channel") {
    const Image image = random_image({77, 41, 2, Depth::f32}, 4);
    const GpuImage on_gpu = gpu().upload(image);
    const Histogram asked{.bins = 3, .channels = {alpha, blue, luma}, .range = {0.25, 0.5}};
    const auto got = asked(gpu(), on_gpu);
    const CountedSet counted(on_gpu.form(), asked.channels);
    const auto slot = count_on_gpu_buffer(gpu(), on_gpu, asked).read<std::uint32_t>(10);
    CHECK(counted.size() == 2); // blue and luma are the grey
    for (const ChannelCounts& channel : got) {
        const std::size_t place = counted.place(channel.channel);
        for (std::size_t bin = 0; bin < 3; ++bin) {
            CHECK(slot[bin * 2 + place] == channel.counts[bin]);
        }
        CHECK(slot[3 * 2 + place] == channel.outside);
        CHECK(slot[4 * 2 + place] == channel.nan);
    }
}
