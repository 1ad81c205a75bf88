#include "glproc/ops/gray.hpp"

#include "glproc/image/colour.hpp"
#include "glproc/op/describe.hpp"

namespace glproc {

Plan plan(const Gray& op, const Form& form) {
    return point_plan(form, {.name = "gray",
                             .glsl = "gray.glsl",
                             .params = luma_params(op.luma, form),
                             .channels = grey_channels(form.channels),
                             .finite = true,
                             .method = op.method});
}

const OpInfo& gray_info() {
    static const OpInfo info =
        Describe<Gray>("gray", "convert an image to grey: one channel of luma, alpha kept",
                       "in.png out.png")
            .alias("grey")
            .alias("grayscale")
            .alias("greyscale")
            .example("Convert a folder to grey PNG files", "photos grey/ --to png")
            .found_by({"cvtcolor", "togray"}, "IN OUT")
            .found_by({"-intensity N"})
            .field("luma", &Gray::luma,
                   {.value = "rec709|rec601", .help = "how r, g and b are weighted in luma"})
            .method(&Gray::method)
            .runs();
    return info;
}

} // namespace glproc
