#include "glproc/ops/box.hpp"

#include "glproc/op/describe.hpp"
#include "glproc/kinds/separable/bench.hpp"

namespace glproc {

namespace {

SeparableFilter filter_of(const Box& box) {
    check_limit("radius", box.radius.x, radius_limit);
    check_limit("radius", box.radius.y, radius_limit);
    return {.name = "box",
            .radius = box.radius,
            .border = box.border,
            .alpha = box.alpha,
            .method = box.method,
            .nan = box.nan,
            .linear = box.linear,
            .border_alpha = box.border.alpha()};
}

} // namespace

GpuImage Box::operator()(Context& gpu, const GpuImage& src) const {
    return run_separable(gpu, src, filter_of(*this));
}

void Box::operator()(Context& gpu, const RowSource& from, RowWriter& to, const TileProgress& progress) const {
    run_separable(gpu, from, to, filter_of(*this), progress);
}

const OpInfo& box_info() {
    static const OpInfo info =
        Describe<Box>("box", "mean filter: average over a box", "in.png out.png --radius 5")
            .field("radius", &Box::radius,
                   {.value = "R[,RY]",
                    .unit = "pixels",
                    .limit = radius_limit,
                    .help = "how far the box reaches from its centre, along both axes or each",
                    .required = true})
            .field("border", &Box::border,
                   {.value = "B",
                    .help = "the pixels assumed beyond the edge; constant:V takes 0 to 1, a code such as "
                            "128/255, or a colour"})
            .field("method", &Box::method, {.value = "M", .help = "the algorithm"})
            .field("alpha", &Box::alpha, {.value = "A", .help = "how transparent pixels are weighted"})
            .toggle("linear", &Box::linear, true,
                    {.help = "filter in linear light instead of on sRGB-encoded values; float images are "
                             "taken as linear"})
            .field("nan", &Box::nan,
                   {.value = "N", .help = "what to do with NaN and infinities in float images"})
            .bench<ImageInput>(
                "method", &Box::method,
                {.size = "2448x1505",
                 .ladders = {{.title = "Box mean of a random 2448x1505 RGBA8 image, ms",
                              .columns = {{"radius 5", "2448x1505", {{"radius", "5"}}},
                                          {"radius 50", "2448x1505", {{"radius", "50"}}}}}}},
                [](const Box& op, Context& gpu, const ImageInput& input) {
                    return why_not_measured(gpu, input, filter_of(op));
                },
                [](const Box& op, Context& gpu, const ImageInput& input) {
                    return separable_workload(gpu, input, filter_of(op));
                })
            .image_filter([](const Box& op, Context& gpu, const Form& form) {
                return separable_grid(gpu, form, filter_of(op));
            });
    return info;
}

} // namespace glproc
