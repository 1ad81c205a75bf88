#include "glproc/ops/curve.hpp"

#include "glproc/math/pchip.hpp"
#include "glproc/op/describe.hpp"

namespace glproc {

Plan plan(const Curve& op, const Form& form) {
    check_curve(op.points);
    std::vector<std::array<double, 2>> points;
    std::vector<Level> levels;
    for (const CurvePoint& point : op.points) {
        points.push_back({point.x, point.y});
        levels.insert(levels.end(), {point.x, point.y});
    }
    check_levels("points", levels, form, between_black_and_white, curve_limit);
    const std::vector<CurvePiece> curve = pchip(points);
    std::vector<float> params = {code_unit(form), static_cast<float>(curve.size())};
    for (const CurvePiece& piece : curve) {
        add_two_floats(params, piece.begin * max_code(form.depth));
        params.push_back(static_cast<float>(1 / (piece.length * max_code(form.depth))));
        params.insert(params.end(), piece.coefficients.begin(), piece.coefficients.end());
    }
    return point_plan(form, {.name = "curve",
                             .glsl = "curve.glsl",
                             .params = std::move(params),
                             .channelwise = true,
                             .searches = true,
                             .method = op.method});
}

const OpInfo& curve_info() {
    static const OpInfo info =
        Describe<Curve>("curve", "apply a smooth tone curve through points that you choose",
                        "in.png out.png --points 0,0,0.25,0.15,0.75,0.85,1,1")
            .example("Lift the shadows and leave the rest alone",
                     "photo.jpg out.jpg --points '0,0 0.25,0.35 0.6,0.6 1,1'")
            .found_by({"-function N N"})
            .field("points", &Curve::points,
                   {.value = "X,Y,...",
                    .help = "pairs of x and y, separated by commas, semicolons or blanks; a monotone cubic "
                            "joins them, flat beyond the ends",
                    .required = true})
            .method(&Curve::method)
            .runs();
    return info;
}

} // namespace glproc
