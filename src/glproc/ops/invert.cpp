#include "glproc/ops/invert.hpp"

#include "glproc/op/describe.hpp"

namespace glproc {

Plan plan(const Invert& op, const Form& form) {
    return point_plan(form, {.name = "invert",
                             .glsl = "invert.glsl",
                             .channelwise = true,
                             .quick = true,
                             .finite = true,
                             .method = op.method});
}

const OpInfo& invert_info() {
    static const OpInfo info =
        Describe<Invert>("invert", "invert the colours (1 - v), alpha kept", "in.png out.png")
            .alias("negate")
            .example("Turn a scanned negative into a positive and stretch its contrast",
                     "glproc pipe photo.jpg out.jpg invert then levels --auto")
            .found_by({"bitwisenot"}, "IN OUT")
            .method(&Invert::method)
            .runs();
    return info;
}

} // namespace glproc
