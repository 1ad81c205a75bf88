#include "glproc/ops/flip.hpp"

#include "glproc/op/describe.hpp"

namespace glproc {

Placement placement_of(const Flip& op, const Form& form) {
    const Move move = op.axis == FlipAxis::x ? Move{.first = {form.width - 1, 0}, .step = {-1, 1}}
                                             : Move{.first = {0, form.height - 1}, .step = {1, -1}};
    return {form.width, form.height, move};
}

Plan plan(const Flip& op, const Form& form) {
    return move_plan(form, placement_of(op, form), "flip", op.method);
}

const OpInfo& flip_info() {
    static const OpInfo info =
        Describe<Flip>("flip", "mirror an image, left to right or top to bottom", "in.png out.png horizontal")
            .alias("mirror --axis x")
            .alias("flop --axis x")
            .example("Mirror a folder, and name the results after their inputs",
                     "photos mirrored/ horizontal --name '{stem}-mirrored.{ext}'")
            .found_by({"hflip", "fliplr"}, "IN OUT horizontal")
            .found_by({"vflip", "flipud"}, "IN OUT vertical")
            .field("axis", &Flip::axis,
                   {.value = "x|y",
                    .help = "x or horizontal swaps left and right, y or vertical swaps top and bottom",
                    .required = true,
                    .place = true})
            .method(&Flip::method,
                    {.size = "2448x1505",
                     .ladders = {{.title = "The mirror image of a random 2448x1505 RGBA8 image, ms",
                                  .columns = {{"x", "2448x1505", {{"axis", "x"}}},
                                              {"y", "2448x1505", {{"axis", "y"}}}}}}})
            .runs();
    return info;
}

} // namespace glproc
