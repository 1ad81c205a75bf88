#include "glproc/ops/equalize.hpp"

#include "glproc/ops/describe.hpp"
#include "glproc/ops/histogram_count.hpp"
#include "glproc/ops/scan.hpp"
#include "glproc/ops/workload.hpp"

namespace glproc {

namespace {

void check(const GpuImage& src) {
    if (src.depth() == Depth::f32) {
        throw Error(ErrorCode::usage,
                    "equalize counts the codes of 8- and 16-bit images; this one holds floats",
                    "convert it to 16 bits first");
    }
}

bool by_luma(const Equalize& equalize, const GpuImage& src) {
    return src.channels() >= 3 && !equalize.per_channel;
}

/// One look-up table for each channel that is counted, one after the other.
Buffer make_tables(Context& gpu, const GpuImage& src, const Equalize& equalize) {
    using enum HistogramChannel;
    Histogram histogram{.bins = static_cast<int>(max_code(src.depth())) + 1, .luma = equalize.luma};
    if (equalize.per_channel) {
        histogram.channels = {red, green, blue};
    }
    const auto bins = static_cast<std::uint32_t>(histogram.bins);
    const auto channels = static_cast<std::uint32_t>(CountedSet(src, histogram.channels).size());
    const std::size_t count = std::size_t{bins} * channels;
    const std::size_t bytes = count * sizeof(std::uint32_t);

    Buffer counts = count_on_gpu_buffer(gpu, src, histogram);
    if (channels > 1) {
        Buffer ordered = gpu.make_buffer(bytes, "equalize.counts");
        gpu.pass("equalize.order", "equalize_order.comp")
            .reads("b_chunks", counts)
            .writes("b_counts", ordered)
            .set("u_bins", bins)
            .set("u_channels", channels)
            .over(bins, channels);
        counts = std::move(ordered);
    }
    Buffer cdf = gpu.make_buffer(bytes, "equalize.cdf");
    // So few values are a matter of latency, and `auto` may read back.
    const bool has_subgroup = gpu.device().has_subgroup;
    Scan{.variant = has_subgroup ? ScanVariant::subgroup : ScanVariant::blocked}(gpu, counts, cdf, count);
    Buffer tables = gpu.make_buffer(bytes, "equalize.lut");
    gpu.pass("equalize.lut", "equalize_lut.comp")
        .reads("b_cdf", cdf)
        .writes("b_lut", tables)
        .set("u_bins", bins)
        .set("u_pixels", static_cast<std::uint32_t>(std::int64_t{src.width()} * src.height()))
        .over(bins, channels);
    return tables;
}

GpuImage equalize_on_gpu(Context& gpu, const GpuImage& src, const Equalize& equalize) {
    const Buffer tables = make_tables(gpu, src, equalize);
    const LumaRule rule = luma_rule(equalize.luma);
    const auto white = rule.sum * static_cast<std::uint32_t>(max_code(src.depth()));
    GpuImage dst = gpu.make_image(src.form(), "equalized");
    gpu.pass("equalize.map", "equalize_map.comp",
             {{"CHANNELS", std::to_string(src.stored_channels())},
              {"SRC_DEPTH", std::to_string(static_cast<int>(src.depth()))},
              {"LUMA", by_luma(equalize, src) ? "1" : "0"}})
        .reads("i_src", src)
        .reads("b_lut", tables)
        .writes("i_dst", dst)
        .set("u_luma", Uint4{rule.red, rule.green, rule.blue, white})
        .set("u_luma_scale", scale_below((max_code(src.depth()) + 1) / white))
        .over(src.texture().width(), src.height());
    return dst;
}

Workload equalize_workload(const Equalize& op, Context& gpu, const ImageInput& input) {
    check(input.image);
    const RowReference reference{[=](std::span<const int> rows) {
        const Image right = equalize_on_cpu(op, input.pixels);
        std::vector<double> values;
        for (const int y : rows) {
            for (int x = 0; x < right.width(); ++x) {
                for (int c = 0; c < right.channels(); ++c) {
                    values.push_back(right.at(x, y, c));
                }
            }
        }
        return values;
    }};
    if (op.variant == EqualizeVariant::cpu) {
        return image_workload_on_cpu(
            input, [=] { return equalize_on_cpu(op, input.pixels); }, reference);
    }
    return image_workload(
        gpu, input, [=, &gpu] { return equalize_on_gpu(gpu, input.image, op); }, reference);
}

} // namespace

GpuImage Equalize::operator()(Context& gpu, const GpuImage& src) const {
    check(src);
    return variant == EqualizeVariant::cpu
               ? gpu.upload(equalize_on_cpu(*this, gpu.download(src)), "equalized")
               : equalize_on_gpu(gpu, src, *this);
}

const OpInfo& equalize_info() {
    static const OpInfo info =
        Describe<Equalize>("equalize", "spread the brightness over the whole range", "in.png out.png")
            .alias("equalise")
            .integers_only()
            .toggle("per-channel", &Equalize::per_channel, true,
                    {.help = "r, g and b each by itself, which shifts colours; without it by luma"})
            .field("luma", &Equalize::luma,
                   {.value = "rec709|rec601", .help = "the weights of r, g and b in luma"})
            .field("variant", &Equalize::variant,
                   {.value = "V", .help = "where it is computed; the result is the same"})
            .bench<ImageInput>(
                "variant", &Equalize::variant,
                {.size = "2448x1505",
                 .ladders = {{.title = "Equalisation of a random 2448x1505 RGBA8 image, ms",
                              .columns = {{"by luma", "2448x1505"},
                                          {"per channel", "2448x1505", {{"per-channel", ""}}}}}}},
                [](const Equalize&, Context&, const ImageInput&) { return std::optional<std::string>(); },
                equalize_workload)
            .image_filter();
    return info;
}

} // namespace glproc
