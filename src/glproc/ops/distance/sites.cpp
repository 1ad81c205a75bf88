#include "glproc/ops/distance/sites.hpp"

#include "glproc/ops/threshold.hpp"

namespace glproc {

namespace {

Plan threshold_plan(const Distance& op, const Form& form) {
    return plan(Threshold{.at = *op.threshold}, form);
}

} // namespace

MaskedPixels sites_of(const Distance& op) {
    return op.nearest == NearestKind::background ? MaskedPixels::zero : MaskedPixels::nonzero;
}

MaskedPixels others_of(const Distance& op) {
    return op.nearest == NearestKind::background ? MaskedPixels::nonzero : MaskedPixels::zero;
}

GpuImage black_and_white_of(Context& gpu, const Distance& op, const GpuImage& picture) {
    const Rect all = whole_of(picture.form());
    return threshold_plan(op, picture.form()).work.run(gpu, {picture, all}, all);
}

HostMask sites_on_cpu(const Distance& op, const Image& picture) {
    return op.threshold
               ? host_mask(image_by_processor(threshold_plan(op, picture.form()), picture), sites_of(op))
               : host_mask(picture, sites_of(op));
}

HostMask sites_in(Context& gpu, const Distance& op, const BandCut& cut, Band& band) {
    if (!op.threshold || cut.is_wide || op.method == DistanceMethod::cpu) {
        return sites_on_cpu(op, band.pixels());
    }
    return host_mask(gpu.download(black_and_white_of(gpu, op, band.image())), sites_of(op));
}

} // namespace glproc
