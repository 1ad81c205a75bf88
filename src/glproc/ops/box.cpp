#include "glproc/ops/box.hpp"

#include "glproc/kinds/separable/separable.hpp"
#include "glproc/op/describe.hpp"

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

Plan plan(const Box& op, const Form& form) {
    if (const std::optional<Plan> light = plan_in_light(op, form); light && op.radius != PerAxis<int>(0)) {
        return *light; // a filter that only copies values needs no curve
    }
    return separable_plan(form, filter_of(op));
}

const OpInfo& box_info() {
    static const OpInfo info =
        Describe<Box>("box", "blur an image with a box (mean filter)", "in.png out.png --radius 5")
            .example("Average along columns only, mirroring at the edges",
                     "photo.jpg out.jpg --radius 0,12 --border mirror")
            .found_by({"boxfilter"}, "IN OUT --radius 2")
            .cost({.alone = 8})
            .field("radius", &Box::radius,
                   {.value = "R[,RY]",
                    .unit = "pixels",
                    .limit = radius_limit,
                    .slider = {0, 100},
                    .help = "how far the box reaches from its centre; R,RY for each axis",
                    .required = true})
            .field("border", &Box::border)
            .field("alpha", &Box::alpha)
            .toggle("linear", &Box::linear, true,
                    {.help = "average in linear light instead of sRGB-encoded values"})
            .field("floats", &Box::floats)
            .field("nan", &Box::nan)
            .method(&Box::method,
                    {.size = "2448x1505",
                     .ladders = {{.title = "Box mean of a random 2448x1505 RGBA8 image, ms",
                                  .columns = {{"radius 5", "2448x1505", {{"radius", "5"}}},
                                              {"radius 50", "2448x1505", {{"radius", "50"}}}}}}})
            .runs();
    return info;
}

} // namespace glproc
