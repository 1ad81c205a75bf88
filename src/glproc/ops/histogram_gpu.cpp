#include "glproc/ops/histogram_count.hpp"

#include <algorithm>
#include <bit>

namespace glproc {

namespace {

constexpr std::int64_t group_size = 256;

/// COUNTED of glsl/lib/bins.glsl. Channels that are the same in an image (all but alpha, of a grey one) share
/// a bit.
class CountedSet {
  public:
    CountedSet(const GpuImage& image, const std::vector<HistogramChannel>& channels)
        : grey_(image.channels() < 3) {
        for (const HistogramChannel channel : channels) {
            mask_ |= bit(channel);
        }
    }

    unsigned mask() const { return mask_; }
    std::size_t size() const { return static_cast<std::size_t>(std::popcount(mask_)); }
    /// Where the channel stands among those counted.
    std::size_t place(HistogramChannel channel) const {
        return static_cast<std::size_t>(std::popcount(mask_ & (bit(channel) - 1)));
    }

  private:
    unsigned bit(HistogramChannel channel) const {
        const bool is_grey = grey_ && channel != HistogramChannel::alpha;
        return 1U << static_cast<unsigned>(is_grey ? HistogramChannel::red : channel);
    }

    bool grey_;
    unsigned mask_ = 0;
};

/// Bins of a channel as they lie in a chunk: float images have two more, for values outside the range and for
/// NaN.
std::int64_t stored_bins(const GpuImage& image, int bins) {
    return bins + (image.depth() == Depth::f32 ? 2 : 0);
}

void set_binning(Pass& pass, const GpuImage& image, const Histogram& histogram) {
    const LumaRule rule = luma_rule(histogram.luma);
    const auto white = rule.sum * static_cast<std::uint32_t>(max_code(image.depth()));
    const FloatBins range = float_bins(histogram.range, histogram.bins);
    const bool whole = image.depth() != Depth::f32;
    pass.set("u_size", Int2{image.width(), image.height()})
        .set("u_bins", static_cast<std::uint32_t>(histogram.bins))
        .set("u_scale", whole ? static_cast<float>(histogram.bins / max_code(image.depth())) : range.scale)
        .set("u_luma", Uint4{rule.red, rule.green, rule.blue, white})
        .set("u_luma_scale", static_cast<float>(double(histogram.bins) / white))
        .set("u_luma_float", Float4{rule.part(rule.red), rule.part(rule.green), rule.part(rule.blue), 0})
        .set("u_low", range.low)
        .set("u_high", range.high);
}

/// First pass: chunks of `slots` counts.
Buffer count_chunks(Context& gpu, const GpuImage& image, const Histogram& histogram, unsigned counted,
                    std::int64_t slots, const ChunkPlan& plan) {
    Buffer chunks =
        gpu.make_buffer(static_cast<std::size_t>(plan.chunks * slots) * sizeof(std::uint32_t), "chunks");
    Pass pass = gpu.pass("histogram.chunks", "histogram_chunks.comp",
                         {{"CHANNELS", std::to_string(image.stored_channels())},
                          {"SRC_DEPTH", std::to_string(static_cast<int>(image.depth()))},
                          {"COUNTED", std::to_string(counted)},
                          {"SLOTS", std::to_string(plan.shared_slots)}});
    const int row_texels = image.texture().width();
    set_binning(pass, image, histogram);
    pass.reads("i_src", image)
        .writes("b_chunks", chunks)
        .set("u_slots", static_cast<std::uint32_t>(slots))
        .set("u_slice_slots", static_cast<std::uint32_t>(plan.slice_slots))
        .set("u_chunk_texels", static_cast<std::uint32_t>(plan.chunk_texels))
        .set("u_row_texels", static_cast<std::uint32_t>(row_texels))
        .set("u_step",
             Int2{static_cast<int>(group_size) % row_texels, static_cast<int>(group_size) / row_texels})
        .groups(plan.chunks, plan.slices);
    return chunks;
}

/// Second pass: adds all chunks to the first, in pairs.
void add_in_pairs(Context& gpu, Buffer& chunks, std::int64_t slots, std::int64_t left) {
    for (std::int64_t stride = 1; left > 1; stride *= 2, left -= left / 2) {
        gpu.pass("histogram.pairs", "histogram_pairs.comp")
            .updates("b_chunks", chunks)
            .set("u_slots", static_cast<std::uint32_t>(slots))
            .set("u_stride", static_cast<std::uint32_t>(stride))
            .groups((slots + group_size - 1) / group_size, left / 2);
    }
}

void check_pixels(Context& gpu, const GpuImage& image) {
    const std::int64_t pixels = std::int64_t{image.width()} * image.height();
    if (pixels >= std::int64_t{1} << 32U) {
        throw Error(ErrorCode::operation,
                    fmt::format("{} pixels are too many for the 32-bit counters of {}", pixels,
                                gpu.device().renderer),
                    "use --variant cpu");
    }
}

} // namespace

ChunkPlan plan_chunks(const Limits& limits, std::int64_t slots, std::int64_t texels) {
    constexpr std::int64_t budget = std::int64_t{64} << 20U; // bytes
    constexpr std::int64_t most_chunks = 4096;               // fill any device; the grid allows 65535
    constexpr auto slot_bytes = static_cast<std::int64_t>(sizeof(std::uint32_t));
    const auto cover = [](std::int64_t items, std::int64_t part) { return (items + part - 1) / part; };

    // Three sizes of the shared array, so that few programs do: small ones, which let many groups share a
    // multiprocessor, and all there is.
    const std::int64_t most_shared = limits.shared_bytes / slot_bytes;
    const std::int64_t bucket = slots <= 1024 ? 1024 : slots <= 4096 ? 4096 : most_shared;
    const std::int64_t shared = std::min(bucket, most_shared);
    ChunkPlan plan;
    plan.shared_slots = static_cast<int>(shared);
    plan.slices = static_cast<int>(cover(slots, shared));
    plan.slice_slots = static_cast<int>(cover(slots, plan.slices));

    // A group clears and writes its slots: it should count several times as many pixels.
    const std::int64_t worthwhile = std::max(4 * group_size, 2 * slots);
    const std::int64_t fit = std::min(budget, limits.storage_block_bytes) / (slots * slot_bytes);
    const std::int64_t allowed = std::clamp<std::int64_t>(fit, 1, most_chunks);
    plan.chunk_texels = cover(std::max(worthwhile, cover(texels, allowed)), group_size) * group_size;
    plan.chunks = cover(texels, plan.chunk_texels);
    return plan;
}

std::vector<ChannelCounts> count_on_gpu(Context& gpu, const GpuImage& image, const Histogram& histogram) {
    check_pixels(gpu, image);
    const CountedSet counted(image, histogram.channels);
    const auto width = counted.size();
    const std::int64_t slots = stored_bins(image, histogram.bins) * static_cast<std::int64_t>(width);
    const std::int64_t texels = std::int64_t{image.texture().width()} * image.height();
    const ChunkPlan plan = plan_chunks(gpu.limits(), slots, texels);
    Buffer chunks = count_chunks(gpu, image, histogram, counted.mask(), slots, plan);
    add_in_pairs(gpu, chunks, slots, plan.chunks);

    const auto slot = chunks.read<std::uint32_t>(static_cast<std::size_t>(slots));
    const auto bins = static_cast<std::size_t>(histogram.bins);
    std::vector<ChannelCounts> result;
    for (const HistogramChannel channel : histogram.channels) {
        ChannelCounts& one = result.emplace_back();
        const std::size_t place = counted.place(channel);
        one.channel = channel;
        for (std::size_t bin = 0; bin < bins; ++bin) {
            one.counts.push_back(slot[bin * width + place]);
        }
        if (image.depth() == Depth::f32) {
            one.outside = slot[bins * width + place];
            one.nan = slot[(bins + 1) * width + place];
        }
    }
    return result;
}

} // namespace glproc
