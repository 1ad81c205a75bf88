#include "glproc/ops/equalize.hpp"

#include "glproc/op/describe.hpp"
#include "glproc/ops/histogram/count.hpp"
#include "glproc/ops/scan.hpp"
#include "glproc/op/workload.hpp"

#include <algorithm>
#include <iterator>

namespace glproc {

namespace {

void check(const Form& form) {
    if (form.depth == Depth::f32) {
        throw Error(ErrorCode::usage, "equalize takes 8- and 16-bit images; this one holds floats",
                    "convert it first: --depth 16");
    }
}

bool by_luma(const Equalize& equalize, const GpuImage& src) {
    return src.channels() >= 3 && !equalize.per_channel;
}

/// One look-up table for each channel that is counted, one after the other.
Buffer make_tables(Context& gpu, const GpuImage& src, const Equalize& equalize) {
    const Histogram histogram = counted_by(equalize, src.form());
    const auto bins = static_cast<std::uint32_t>(histogram.bins);
    const auto channels = static_cast<std::uint32_t>(CountedSet(src.form(), histogram.channels).size());
    const std::size_t count = std::size_t{bins} * channels;
    const std::size_t bytes = count * sizeof(std::uint32_t);

    Buffer counts = count_on_gpu_buffer(gpu, src, histogram);
    if (channels > 1) {
        Buffer ordered = gpu.make_buffer(bytes, "equalize.counts");
        gpu.pass("equalize.order", "equalize/order.comp")
            .reads("b_chunks", counts)
            .writes("b_counts", ordered)
            .set("u_bins", bins)
            .set("u_channels", channels)
            .over(bins, channels);
        counts = std::move(ordered);
    }
    Buffer cdf = gpu.make_buffer(bytes, "equalize.cdf");
    // With so few values latency decides, and `auto` may choose a variant that reads back.
    const bool has_subgroup = gpu.device().has_subgroup;
    Scan{.variant = has_subgroup ? ScanVariant::subgroup : ScanVariant::blocked}(gpu, counts, cdf, count);
    Buffer tables = gpu.make_buffer(bytes, "equalize.lut");
    gpu.pass("equalize.lut", "equalize/lut.comp")
        .reads("b_cdf", cdf)
        .writes("b_lut", tables)
        .set("u_bins", bins)
        .set("u_pixels", static_cast<std::uint32_t>(std::int64_t{src.width()} * src.height()))
        .over(bins, channels);
    return tables;
}

GpuImage map_on_gpu(Context& gpu, const GpuImage& src, const Equalize& equalize, const Buffer& tables) {
    const LumaRule rule = luma_rule(equalize.luma);
    const auto white = rule.sum * static_cast<std::uint32_t>(max_code(src.depth()));
    GpuImage dst = gpu.make_image(src.form(), "equalized");
    gpu.pass("equalize.map", "equalize/map.comp",
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

GpuImage equalize_on_gpu(Context& gpu, const GpuImage& src, const Equalize& equalize) {
    return map_on_gpu(gpu, src, equalize, make_tables(gpu, src, equalize));
}

/// As the kernel of make_tables() leaves them.
Buffer upload_tables(Context& gpu, const EqualizeTables& tables, Depth depth) {
    constexpr std::uint32_t keep = 0xffffffffU; // KEEP of glsl/lib/lut.glsl
    const auto bins = static_cast<std::size_t>(max_code(depth)) + 1;
    std::vector<std::uint32_t> entries;
    for (const auto& table : tables) {
        if (table.empty()) {
            entries.insert(entries.end(), bins, keep);
        }
        std::transform(table.begin(), table.end(), std::back_inserter(entries),
                       [](std::uint64_t entry) { return static_cast<std::uint32_t>(entry); });
    }
    Buffer buffer = gpu.make_buffer(entries.size() * sizeof(std::uint32_t), "equalize.lut");
    buffer.write(entries);
    return buffer;
}

TileNeeds needs_of(const Form& form) {
    const int pixels = pixels_per_texel(form);
    return {.what = "equalize",
            .grain = {pixels, 1},
            .texel_pixels = pixels,
            .pixel_bytes = 32.0 / pixels,
            .pixel_work = 10};
}

Workload equalize_workload(const Equalize& op, Context& gpu, const ImageInput& input) {
    check(input.image.form());
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
    check(src.form());
    return variant == EqualizeVariant::cpu
               ? gpu.upload(equalize_on_cpu(*this, gpu.download(src)), "equalized")
               : equalize_on_gpu(gpu, src, *this);
}

void Equalize::operator()(Context& gpu, const RowSource& from, RowWriter& to,
                          const TileProgress& progress) const {
    check(from.form);
    const auto told = [&](double begin) {
        return [&progress, begin](double share) {
            if (progress) {
                progress(begin + share / 2);
            }
        };
    };
    Histogram histogram = counted_by(*this, from.form);
    if (variant == EqualizeVariant::cpu) {
        histogram.variant = HistogramVariant::cpu;
    }
    const auto pixels = std::uint64_t(from.form.width) * std::uint64_t(from.form.height);
    const EqualizeTables tables = tables_of(histogram(gpu, from, told(0)), pixels);
    const TileNeeds needs = needs_of(from.form);
    const TileGrid grid = plan_grid(gpu, from.form, needs);
    if (variant == EqualizeVariant::cpu) {
        return filter_tiles(
            from, to, needs, grid, [&](Image tile) { return map_on_cpu(*this, std::move(tile), tables); },
            told(0.5));
    }
    const Buffer lut = upload_tables(gpu, tables, from.form.depth);
    filter_tiles(
        from, to, needs, grid,
        [&](Image tile) {
            const GpuImage mapped = map_on_gpu(gpu, gpu.upload(tile, "tile"), *this, lut);
            return gpu.download(mapped, std::move(tile));
        },
        told(0.5));
}

const OpInfo& equalize_info() {
    static const OpInfo info =
        Describe<Equalize>("equalize", "equalise the histogram: spread the values over the whole range",
                           "in.png out.png")
            .alias("equalise")
            .integers_only()
            .toggle(
                "per-channel", &Equalize::per_channel, true,
                {.help = "equalise r, g and b separately, which shifts colours; otherwise luma is equalised"})
            .field("luma", &Equalize::luma,
                   {.value = "rec709|rec601", .help = "the weights of r, g and b in luma"})
            .field("method", &Equalize::variant,
                   {.value = "M", .help = "where it is computed; the result is the same", .alias = "variant"})
            .bench<ImageInput>(
                "method", &Equalize::variant,
                {.size = "2448x1505",
                 .ladders = {{.title = "Equalisation of a random 2448x1505 RGBA8 image, ms",
                              .columns = {{"by luma", "2448x1505"},
                                          {"per channel", "2448x1505", {{"per-channel", ""}}}}}}},
                [](const Equalize&, Context&, const ImageInput&) { return std::optional<std::string>(); },
                equalize_workload)
            .image_filter([](const Equalize&, Context& gpu, const Form& form) {
                check(form);
                return plan_grid(gpu, form, needs_of(form));
            });
    return info;
}

} // namespace glproc
