#include "glproc/base/covering.hpp"
#include "glproc/ops/histogram/count.hpp"

#include "glproc/gl/tuning.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace glproc {

namespace {

std::uint32_t whole(std::int64_t value) {
    return static_cast<std::uint32_t>(value);
}

std::size_t bytes_of(std::int64_t counts) {
    return static_cast<std::size_t>(counts) * sizeof(std::uint32_t);
}

void set_binning(Pass& pass, const GpuImage& image, const Histogram& histogram) {
    const LumaRule rule = luma_rule(histogram.luma);
    const auto white = rule.sum * static_cast<std::uint32_t>(max_code(image.depth()));
    const FloatBins range = float_bins(histogram.range, histogram.bins);
    const bool is_whole = image.depth() != Depth::f32;
    pass.set("u_size", Int2{image.width(), image.height()})
        .set("u_bins", static_cast<std::uint32_t>(histogram.bins))
        .set("u_scale", is_whole ? scale_below(histogram.bins / max_code(image.depth())) : range.scale)
        .set("u_luma", Uint4{rule.red, rule.green, rule.blue, white})
        .set("u_luma_scale", scale_below(double(histogram.bins) / white))
        .set("u_luma_float", Float4{rule.part(rule.red), rule.part(rule.green), rule.part(rule.blue), 0})
        .set("u_hides", image.has_alpha() && !histogram.hidden ? 1U : 0U)
        .set("u_low", range.low)
        .set("u_high", range.high);
}

constexpr auto kernel_variants = tuning<HistogramVariant>(
    {{"nvidia", any_radius, HistogramVariant::fused, "see histogram"},
     {"", any_radius, HistogramVariant::shared_reduce, "not measured on other GPUs yet"}});

/// The values that the variants share.
struct CountJob {
    Context& gpu;
    const GpuImage& image;
    const Histogram& histogram;
    unsigned counted;   ///< COUNTED of glsl/lib/bins.glsl
    std::int64_t slots; ///< counts of a complete set
    HistogramTuning tuning;

    int row_texels() const { return image.texture().width(); }
    std::int64_t texels() const { return std::int64_t{row_texels()} * image.height(); }

    /// A pass that counts pixels.
    Pass pass(std::string_view label, std::string_view kernel, Defines defines = {}) const {
        defines["CHANNELS"] = std::to_string(image.stored_channels());
        defines["SRC_DEPTH"] = std::to_string(static_cast<int>(image.depth()));
        defines["COUNTED"] = std::to_string(counted);
        const bool codes = image.depth() != Depth::f32 && histogram.bins == max_code(image.depth()) + 1;
        defines["CODES"] = std::to_string(codes ? 1 : 0);
        Pass pass = gpu.pass(label, kernel, defines);
        set_binning(pass, image, histogram);
        pass.reads("i_src", image);
        return pass;
    }

    /// A complete set of counts, all 0.
    Buffer cleared_counts() const {
        Buffer counts = gpu.make_buffer(bytes_of(slots), "counts");
        counts.fill(0);
        return counts;
    }

    /// Sets the uniforms of glsl/lib/slice.glsl and glsl/lib/walk.glsl. `stride`: columns from one texel of
    /// an invocation to its next.
    void set_walk(Pass& pass, const SlicePlan& slices, std::int64_t stride, int group_height) const {
        pass.set("u_slots", whole(slots))
            .set("u_slice_slots", whole(slices.slice_slots))
            .set("u_row_texels", whole(row_texels()))
            .set("u_step", Int2{static_cast<int>(stride % row_texels()),
                                static_cast<int>(stride / row_texels()) * group_height});
    }
};

Buffer count_serially(const CountJob& job) {
    // A dispatch must not take so long that a driver thinks it hung. Waiting for each keeps the driver from
    // putting several together. llvmpipe also ends an invocation, silently, after 65535 turns of its loops.
    constexpr std::int64_t dispatch_pixels = 1 << 13;
    const std::int64_t part = dispatch_pixels / pixels_per_texel(job.image.form());
    Buffer counts = job.cleared_counts();
    for (std::int64_t first = 0; first < job.texels(); first += part) {
        job.pass("histogram.serial", "histogram/serial.comp")
            .updates("b_counts", counts)
            .set("u_row_texels", whole(job.row_texels()))
            .set("u_first", whole(first))
            .set("u_end", whole(std::min(first + part, job.texels())))
            .groups(1);
        job.gpu.finish();
    }
    return counts;
}

/// Without atomics additions get lost.
Buffer count_in_global_memory(const CountJob& job, std::string_view label, bool atomic) {
    Buffer counts = job.cleared_counts();
    job.pass(label, "histogram/global.comp", {{"ATOMIC", atomic ? "1" : "0"}})
        .updates("b_counts", counts)
        .over(job.row_texels(), job.image.height());
    return counts;
}

ChunkPlan chunk_plan(const CountJob& job) {
    const GroupShape& group = job.tuning.group;
    const std::int64_t bands = covering(job.image.height(), group.height);
    return plan_chunks(job.gpu.limits(), job.slots, job.row_texels() * bands, group);
}

/// First pass of shared_sum and shared_reduce: chunks of counts.
Buffer count_chunks(const CountJob& job, const ChunkPlan& plan) {
    const GroupShape& group = job.tuning.group;
    Buffer chunks = job.gpu.make_buffer(bytes_of(plan.chunks * job.slots), "chunks");
    Pass pass = job.pass("histogram.chunks", "histogram/chunks.comp",
                         {{"SLOTS", std::to_string(plan.shared_slots)},
                          {"GROUP_W", std::to_string(group.width)},
                          {"GROUP_H", std::to_string(group.height)}});
    job.set_walk(pass, plan, group.width, group.height);
    pass.writes("b_chunks", chunks)
        .set("u_chunk_columns", whole(plan.chunk_columns))
        .groups(plan.chunks, plan.slices);
    return chunks;
}

/// Second pass of shared_sum: one group adds all chunks.
Buffer count_and_sum(const CountJob& job) {
    const ChunkPlan plan = chunk_plan(job);
    const Buffer chunks = count_chunks(job, plan);
    Buffer counts = job.gpu.make_buffer(bytes_of(job.slots), "counts");
    job.gpu.pass("histogram.sum", "histogram/sum.comp")
        .reads("b_chunks", chunks)
        .writes("b_counts", counts)
        .set("u_slots", whole(job.slots))
        .set("u_chunks", whole(plan.chunks))
        .groups(1);
    return counts;
}

/// Second pass of shared_reduce: adds all chunks to the first, in pairs.
Buffer count_and_reduce(const CountJob& job) {
    const ChunkPlan plan = chunk_plan(job);
    Buffer chunks = count_chunks(job, plan);
    std::int64_t left = plan.chunks;
    for (std::int64_t stride = 1; left > 1; stride *= 2, left -= left / 2) {
        job.gpu.pass("histogram.pairs", "histogram/pairs.comp")
            .updates("b_chunks", chunks)
            .set("u_slots", whole(job.slots))
            .set("u_stride", whole(stride))
            .over(job.slots, left / 2);
    }
    return chunks;
}

Buffer count_fused(const CountJob& job) {
    const FusedPlan plan = plan_fused(job.gpu.limits(), job.slots, job.texels(), job.tuning.resident_groups);
    Buffer counts = job.cleared_counts();
    Pass pass =
        job.pass("histogram.fused", "histogram/fused.comp", {{"SLOTS", std::to_string(plan.shared_slots)}});
    job.set_walk(pass, plan, plan.groups * fused_group.width, fused_group.height);
    pass.updates("b_counts", counts).set("u_steps", whole(plan.steps)).groups(plan.groups, plan.slices);
    return counts;
}

CountJob job_of(Context& gpu, const GpuImage& image, const Histogram& histogram,
                const HistogramTuning& tuning) {
    const CountedSet counted(image.form(), histogram.channels);
    const std::int64_t slots =
        stored_bins(image.form(), histogram.bins) * static_cast<std::int64_t>(counted.size());
    return {gpu, image, histogram, counted.mask(), slots, tuning};
}

void check_pixels(Context& gpu, const GpuImage& image) {
    const std::int64_t pixels = std::int64_t{image.width()} * image.height();
    if (pixels >= std::int64_t{1} << 32U) {
        throw Error(ErrorCode::operation,
                    fmt::format("{} pixels are too many for the 32-bit counters of {}", pixels,
                                gpu.device().renderer),
                    "use --method cpu");
    }
}

} // namespace

Buffer count_on_gpu_buffer(Context& gpu, const GpuImage& image, const Histogram& histogram,
                           const HistogramTuning& tuning) {
    check_pixels(gpu, image);
    const CountJob job = job_of(gpu, image, histogram, tuning);
    const bool leaves_it_open =
        histogram.variant == HistogramVariant::automatic || histogram.variant == HistogramVariant::cpu;
    switch (leaves_it_open ? tuned(kernel_variants, gpu.device()) : histogram.variant) {
    case HistogramVariant::serial:
        return count_serially(job);
    case HistogramVariant::global_atomic:
        return count_in_global_memory(job, "histogram.global_atomic", true);
    case HistogramVariant::shared_sum:
        return count_and_sum(job);
    case HistogramVariant::fused:
        return count_fused(job);
    case HistogramVariant::shared_reduce:
    case HistogramVariant::automatic: // this and cpu were replaced above
    case HistogramVariant::cpu:
        break;
    }
    return count_and_reduce(job);
}

Buffer count_on_gpu_buffer(Context& gpu, const GpuImage& image, const Histogram& histogram) {
    // For floats the kernels also count how many are NaN.
    if (histogram.variant == HistogramVariant::automatic && image.depth() != Depth::f32 &&
        tuned_histogram(gpu.device()) == HistogramVariant::cpu) {
        check_pixels(gpu, image);
        return upload_counts(gpu, image.form(), histogram, count_on_cpu(gpu.download(image), histogram));
    }
    return count_on_gpu_buffer(gpu, image, histogram, HistogramTuning{});
}

Buffer count_racily(Context& gpu, const GpuImage& image, const Histogram& histogram) {
    check_pixels(gpu, image);
    return count_in_global_memory(job_of(gpu, image, histogram, {}), "histogram.racy", false);
}

std::vector<ChannelCounts> read_counts(const Buffer& slots, const Form& image, const Histogram& histogram) {
    const CountedSet counted(image, histogram.channels);
    const auto width = counted.size();
    const auto bins = static_cast<std::size_t>(histogram.bins);
    const auto slot =
        slots.read<std::uint32_t>(static_cast<std::size_t>(stored_bins(image, histogram.bins)) * width);
    std::vector<ChannelCounts> result;
    for (const HistogramChannel channel : histogram.channels) {
        ChannelCounts& one = result.emplace_back();
        const std::size_t place = counted.place(channel);
        one.channel = channel;
        for (std::size_t bin = 0; bin < bins; ++bin) {
            one.counts.push_back(slot[bin * width + place]);
        }
        if (image.depth == Depth::f32) {
            one.outside = slot[bins * width + place];
            one.nan = slot[(bins + 1) * width + place];
        }
    }
    return result;
}

int plot_shift(const Form& image) {
    const auto pixels = static_cast<std::uint64_t>(image.width) * static_cast<std::uint64_t>(image.height);
    return std::max(static_cast<int>(std::bit_width(pixels)) - 32, 0);
}

Buffer upload_counts(Context& gpu, const Form& image, const Histogram& histogram,
                     const std::vector<ChannelCounts>& counts) {
    const CountedSet counted(image, histogram.channels);
    const auto bins = static_cast<std::size_t>(histogram.bins);
    std::vector<std::uint32_t> slot(bins * counted.size());
    for (const ChannelCounts& one : counts) {
        const std::size_t place = counted.place(one.channel);
        for (std::size_t bin = 0; bin < bins; ++bin) {
            slot[bin * counted.size() + place] =
                static_cast<std::uint32_t>(one.counts[bin] >> plot_shift(image));
        }
    }
    Buffer slots = gpu.make_buffer(slot.size() * sizeof(std::uint32_t), "counts");
    slots.write(slot);
    return slots;
}

} // namespace glproc
