#include "glproc/ops/sobel.hpp"

#include "glproc/op/describe.hpp"

namespace glproc {

namespace {

constexpr Limit scale_limit{-1000, 1000};

/// The weights beside the middle, and in it.
std::pair<double, double> weights_of(GradientOperator kernel) {
    return kernel == GradientOperator::sobel    ? std::pair{1.0, 2.0}
           : kernel == GradientOperator::scharr ? std::pair{3.0, 10.0}
                                                : std::pair{1.0, 1.0};
}

} // namespace

Plan plan(const Sobel& op, const Form& form) {
    check_limit("scale", op.scale, scale_limit);
    const std::optional<Depth> depth =
        op.output == GradientOutput::magnitude ? std::nullopt : std::optional(Depth::f32);
    const double scale = op.output == GradientOutput::angle ? 1 : op.scale * code_ratio(form, depth);
    const auto [side, middle] = weights_of(op.kernel);
    Plan made =
        stencil_plan(form, {.name = "sobel",
                            .glsl = "sobel.glsl",
                            .params = {float(scale), float(side), float(middle)},
                            .defines = {{"OUTPUT", std::to_string(static_cast<int>(op.output))},
                                        {"PLAIN_ROOT", form.depth == Depth::u8 && scale == 1 ? "1" : "0"}},
                            .border = op.border,
                            .hides = true,
                            .depth = depth,
                            .method = op.method});
    made.shape.meaning = Meaning::numbers;
    return made;
}

const OpInfo& sobel_info() {
    static const OpInfo info =
        Describe<Sobel>("sobel", "find edges with the Sobel, Scharr or Prewitt operator",
                        "in.png out.png")
            .example("Write the direction of each edge as floats",
                     "photo.jpg angle.tif --output angle --depth f32")
            .found_by({"edge", "edges", "compass"}, "IN OUT")
            .found_by({"scharr"}, "IN OUT --operator scharr")
            .found_by({"prewitt"}, "IN OUT --operator prewitt")
            .found_by({"-charcoal N", "-sketch N"})
            .field("operator", &Sobel::kernel, {.value = "O", .help = "the operator"})
            .field("output", &Sobel::output, {.value = "P", .help = "which part of the gradient to write"})
            .field(
                "scale", &Sobel::scale,
                {.value = "S", .limit = scale_limit, .slider = {0, 4, 0.05}, .help = "multiply the result by this"})
            .field("border", &Sobel::border)
            .method(&Sobel::method, {.size = "2448x1505"})
            .runs();
    return info;
}

} // namespace glproc
