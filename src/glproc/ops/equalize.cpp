#include "glproc/ops/equalize.hpp"

#include "glproc/op/describe.hpp"
#include "glproc/op/workload.hpp"
#include "glproc/ops/histogram/count.hpp"
#include "glproc/ops/histogram/measured.hpp"
#include "glproc/ops/scan.hpp"

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

/// The same tables as the kernel of make_tables() makes.
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

/// The tables for a picture that is not on the GPU as a whole.
EqualizeTables count_rows(Context& gpu, const Equalize& op, const RowSource& picture,
                          const TileProgress& progress) {
    Histogram histogram = counted_by(op, picture.form);
    if (op.variant == EqualizeVariant::cpu) {
        histogram.variant = HistogramVariant::cpu;
    }
    return tables_of(histogram(gpu, picture, progress));
}

using Mapping = std::function<GpuImage(Context&, const Part&, const Rect&)>;

Mapping mapping_by(Context& gpu, const Equalize& op, const Form& form, EqualizeTables tables) {
    if (op.variant == EqualizeVariant::cpu) {
        return [op, tables = std::move(tables)](Context& on, const Part& source, const Rect&) {
            return on.upload(map_on_cpu(op, on.download(source.image), tables), "equalized");
        };
    }
    return
        [op, lut = std::make_shared<const Buffer>(upload_tables(gpu, tables, form.depth))](
            Context& on, const Part& source, const Rect&) { return map_on_gpu(on, source.image, op, *lut); };
}

/// Maps the pixels once the picture was counted.
Mapping mapping(Context& gpu, const Equalize& op, const Look& picture, const TileProgress& progress) {
    if (const auto* image = std::get_if<const GpuImage*>(&picture)) {
        if (op.variant == EqualizeVariant::cpu) {
            return [op](Context& on, const Part& source, const Rect&) {
                return on.upload(equalize_on_cpu(op, on.download(source.image)), "equalized");
            };
        }
        return [op, lut = std::make_shared<const Buffer>(make_tables(gpu, **image, op))](
                   Context& on, const Part& source, const Rect&) {
            return map_on_gpu(on, source.image, op, *lut);
        };
    }
    const RowSource& rows = *std::get<const RowSource*>(picture);
    return mapping_by(gpu, op, rows.form, count_rows(gpu, op, rows, progress));
}

} // namespace

Plan plan(const Equalize& op, const Form& form) {
    check(form);
    Plan plan{.shape = {.source = form, .result = form}};
    plan.work.needs = [form](Context&) { return needs_of(form); };
    plan.look.at = [op, plan](Context& gpu, const Look& picture, const TileProgress& progress) {
        Plan seen = plan;
        seen.work.run = mapping(gpu, op, picture, progress);
        return seen;
    };
    plan.look.counting =
        counting_by(counted_by(op, form), [op, plan](Context& gpu, const std::vector<ChannelCounts>& counts) {
            Plan seen = plan;
            seen.look.at = {};
            seen.work.run = mapping_by(gpu, op, seen.shape.source, tables_of(counts));
            return seen;
        });
    set_by_processor(
        plan, [op](const Image& source) { return equalize_on_cpu(op, source); },
        4.0 * form.width * form.channels);
    plan.twin.work = 115; // one core's
    plan.twin.only_proves = op.variant == EqualizeVariant::gpu;
    plan.work.on_cpu = op.variant == EqualizeVariant::cpu;
    return plan;
}

const OpInfo& equalize_info() {
    static const OpInfo info =
        Describe<Equalize>("equalize", "equalise the histogram, spreading values over the full range",
                           "in.png out.png")
            .alias("equalise")
            .example("Equalise each colour channel by itself", "photo.jpg out.jpg --per-channel")
            .found_by({"equalizehist", "histequal"}, "IN OUT")
            .cost({.alone = 20})
            .integers_only()
            .toggle(
                "per-channel", &Equalize::per_channel, true,
                {.help = "equalise r, g and b separately, which shifts colours; without it, luma is "
                         "equalised"})
            .field("luma", &Equalize::luma,
                   {.value = "rec709|rec601", .help = "how r, g and b are weighted in luma"})
            .method(&Equalize::variant,
                    {.size = "2448x1505",
                     .ladders = {{.title = "Equalisation of a random 2448x1505 RGBA8 image, ms",
                                  .columns = {{"by luma", "2448x1505"},
                                              {"per channel", "2448x1505", {{"per-channel", ""}}}}}}})
            .runs();
    return info;
}

} // namespace glproc
