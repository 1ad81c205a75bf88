#include "glproc/ops/histogram/measured.hpp"

#include "glproc/ops/histogram/count.hpp"

namespace glproc {

namespace {

Point look_at(Context& gpu, const GpuImage& image, const Point& point, const Measure& measure) {
    if (point.method == PointMethod::cpu) {
        return measure.point(count_on_cpu(gpu.download(image), measure.histogram));
    }
    if (!measure.params_on_gpu) {
        return measure.point(measure.histogram(gpu, image));
    }
    Point seen = point;
    const Buffer counts = count_on_gpu_buffer(gpu, image, measure.histogram);
    seen.computed = std::make_shared<const Buffer>(measure.params_on_gpu(gpu, counts));
    return seen;
}

} // namespace

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
