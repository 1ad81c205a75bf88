#include "glproc/ops/box.hpp"

#include "glproc/ops/separable.hpp"

namespace glproc {

GpuImage Box::operator()(Context& gpu, const GpuImage& src) const {
    check_limit("radius", radius.x, radius_limit);
    check_limit("radius", radius.y, radius_limit);
    return run_separable(
        gpu, src, {.name = "box", .radius = radius, .border = border, .alpha = alpha, .method = method});
}

const OpInfo& box_info() {
    static const OpInfo info =
        Describe<Box>("box", "mean over a box", "in.png out.png --radius 5")
            .field("radius", &Box::radius,
                   {.value = "R[,RY]",
                    .unit = "pixels",
                    .limit = radius_limit,
                    .help = "the box reaches this far from its centre, along both axes or each",
                    .required = true})
            .field("border", &Box::border, {.value = "B", .help = "what lies beyond the image"})
            .field("method", &Box::method, {.value = "M", .help = "how it is computed"})
            .field("alpha", &Box::alpha, {.value = "A", .help = "what happens to transparency"})
            .image_filter();
    return info;
}

} // namespace glproc
