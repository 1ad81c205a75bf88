#include "glproc/ops/histogram/measured.hpp"

#include "glproc/base/error.hpp"
#include "glproc/op/findings.hpp"
#include "glproc/ops/histogram/count.hpp"

#include <utility>

namespace glproc {

namespace {

Point look_at(Context& gpu, const GpuImage& image, const Point& point, const Measure& measure) {
    if (point.method == PointMethod::cpu) {
        return measure.point(count_on_cpu(gpu.download(image), measure.histogram));
    }
    if (!measure.params_on_gpu || findings_wanted()) {
        return measure.point(measure.histogram(gpu, image));
    }
    Point seen = point;
    const Buffer counts = count_on_gpu_buffer(gpu, image, measure.histogram);
    seen.computed = std::make_shared<const Buffer>(measure.params_on_gpu(gpu, counts));
    return seen;
}

Counts flat(const std::vector<ChannelCounts>& channels) {
    Counts all;
    for (const ChannelCounts& channel : channels) {
        all.insert(all.end(), channel.counts.begin(), channel.counts.end());
        all.insert(all.end(), {channel.outside, channel.nan});
    }
    return all;
}

/// The reverse of flat().
std::vector<ChannelCounts> by_channel(const Counts& all, const Histogram& histogram) {
    const auto bins = static_cast<std::ptrdiff_t>(histogram.bins);
    if (all.size() != histogram.channels.size() * static_cast<std::size_t>(bins + 2)) {
        throw Error(ErrorCode::usage, "these counts are not of this operation");
    }
    std::vector<ChannelCounts> channels;
    for (auto at = all.begin(); at != all.end(); at += bins + 2) {
        channels.push_back({histogram.channels[channels.size()], {at, at + bins}, at[bins], at[bins + 1]});
    }
    return channels;
}

} // namespace

std::shared_ptr<const Counting>
counting_by(const Histogram& histogram,
            std::function<Plan(Context&, const std::vector<ChannelCounts>&)> plan) {
    return std::make_shared<const Counting>(
        Counting{[histogram](Context& gpu, const GpuImage& part) { return flat(histogram(gpu, part)); },
                 [histogram, plan = std::move(plan)](Context& gpu, const Counts& counts) {
                     return plan(gpu, by_channel(counts, histogram));
                 }});
}

Plan measured_plan(const Form& form, const Point& point, const Measure& measure) {
    check_histogram(measure.histogram, form);
    Plan plan = point_plan(form, point, [=](Context& gpu, const Look& picture, const TileProgress& progress) {
        if (const auto* image = std::get_if<const GpuImage*>(&picture)) {
            return look_at(gpu, **image, point, measure);
        }
        Histogram histogram = measure.histogram;
        histogram.variant = point.method == PointMethod::cpu ? HistogramVariant::cpu : histogram.variant;
        return measure.point(histogram(gpu, *std::get<const RowSource*>(picture), progress));
    });
    plan.counting = counting_by(measure.histogram, [=](Context&, const std::vector<ChannelCounts>& counts) {
        return point_plan(form, measure.point(counts));
    });
    plan.reference.rows = [=](const Image& source, std::span<const int> rows) {
        Point seen = measure.point(count_on_cpu(source, measure.histogram));
        return point_plan(source.form(), std::move(seen)).reference.rows(source, rows);
    };
    return plan;
}

int bins_of(const Form& form) {
    return form.depth == Depth::u8 ? 256 : 65536;
}

} // namespace glproc
