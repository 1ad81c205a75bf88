#include "glproc/ops/lut.hpp"

#include "glproc/op/describe.hpp"

namespace glproc {

Plan plan(const Lut& op, const Form& form) {
    const Cube& cube = op.cube.table();
    std::vector<float> params = {static_cast<float>(cube.size), cube.has_three_axes ? 1.0F : 0.0F};
    for (std::size_t c = 0; c < 3; ++c) {
        const double range = double{cube.high[c]} - cube.low[c];
        params.insert(params.end(), {cube.low[c], static_cast<float>((cube.size - 1) / range)});
    }
    params.insert(params.end(), cube.values.begin(), cube.values.end());
    return point_plan(form, {.name = "lut",
                             .glsl = "lut.glsl",
                             .params = std::move(params),
                             .channels = form.has_alpha() ? 4 : 3,
                             .channelwise = !cube.has_three_axes,
                             .searches = true,
                             .method = op.method});
}

const OpInfo& lut_info() {
    static const OpInfo info =
        Describe<Lut>("lut", "look colours up in the table of a .cube file", "in.png out.png --cube look.cube")
            .example("Give every image of a folder the same look", "photos graded/ --cube look.cube")
            .found_by({"applycolormap", "-cdl N", "-clut", "-hald-clut", "-cycle N"})
            .cost({.llvmpipe = 20})
            .field("cube", &Lut::cube,
                   {.value = "FILE", .help = "the table, one- or three-dimensional", .required = true})
            .method(&Lut::method)
            .runs();
    return info;
}

} // namespace glproc
