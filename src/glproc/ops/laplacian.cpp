#include "glproc/ops/laplacian.hpp"

#include "glproc/kinds/stencil.hpp"
#include "glproc/op/describe.hpp"
#include "glproc/ops/blur.hpp"

#include <cmath>

namespace glproc {

namespace {

constexpr Limit scale_limit{-1000, 1000};

/// A half kernel unfolded to both sides.
std::vector<double> whole(const std::vector<double>& half) {
    std::vector<double> taps(half.rbegin(), half.rend());
    taps.insert(taps.end(), half.begin() + 1, half.end());
    return taps;
}

/// The second derivative of a Gaussian along one axis, times the Gaussian along the other, both ways.
std::vector<WeightProduct> gaussian_products(double sigma, int radius) {
    const std::vector<double> gaussian = gaussian_taps(sigma, radius);
    std::vector<double> second = gaussian;
    for (std::size_t i = 0; i < second.size(); ++i) {
        const double x = static_cast<double>(i) / sigma;
        second[i] *= (x * x - 1) / (sigma * sigma);
    }
    return {{whole(second), whole(gaussian)}, {whole(gaussian), whole(second)}};
}

/// Differences of neighbours.
Plan plain_plan(const Laplacian& op, const Form& form, std::optional<Depth> depth) {
    const bool is_signed = op.output == LaplacianOutput::with_sign;
    const double scale = op.scale * code_ratio(form, depth);
    return stencil_plan(
        form, {.name = "laplacian",
               .glsl = "laplacian.glsl",
               .params = {static_cast<float>(scale), is_signed ? 1.0F : 0.0F},
               .border = op.border,
               .hides = true,
               .depth = depth,
               .method = op.method == ConvolutionMethod::automatic ? StencilMethod::automatic
                         : op.method == ConvolutionMethod::cpu     ? StencilMethod::cpu
                                                                   : StencilMethod::walk});
}

/// Of the blurred picture.
Plan gaussian_plan(const Laplacian& op, const Form& form, std::optional<Depth> depth) {
    const int radius = static_cast<int>(std::floor(4 * op.sigma + 0.5));
    return convolution_plan(form, {.name = "laplacian",
                                   .width = 2 * radius + 1,
                                   .height = 2 * radius + 1,
                                   .first = -radius,
                                   .products = gaussian_products(op.sigma, radius),
                                   .scale = op.scale,
                                   .absolute = op.output != LaplacianOutput::with_sign,
                                   .border = op.border,
                                   .alpha = AlphaMode::ignore,
                                   .hides = true,
                                   .depth = depth,
                                   .method = op.method});
}

} // namespace

Plan plan(const Laplacian& op, const Form& form) {
    check_limit("sigma", op.sigma, sigma_limit);
    check_limit("scale", op.scale, scale_limit);
    const bool is_signed = op.output == LaplacianOutput::with_sign;
    const std::optional<Depth> depth = is_signed ? std::optional(Depth::f32) : std::nullopt;
    Plan made = op.sigma == 0 ? plain_plan(op, form, depth) : gaussian_plan(op, form, depth);
    made.shape.meaning = Meaning::numbers;
    return made;
}

const OpInfo& laplacian_info() {
    static const OpInfo info =
        Describe<Laplacian>("laplacian", "find edges and spots in any direction (Laplacian)",
                            "in.png out.png")
            .alias("laplace")
            .example("Find spots of about three pixels, and make them brighter",
                     "photo.jpg out.png --sigma 1.5 --scale 4")
            .field("sigma", &Laplacian::sigma,
                   {.value = "S",
                    .unit = "pixels",
                    .limit = sigma_limit,
                    .slider = {0, 10, 0.1},
                    .help = "first blur with a Gaussian of this standard deviation; 0 takes differences of "
                            "neighbours"})
            .field("output", &Laplacian::output, {.value = "P", .help = "whether to keep the sign"})
            .field(
                "scale", &Laplacian::scale,
                {.value = "S", .limit = scale_limit, .slider = {0, 8, 0.05}, .help = "multiply the result by this"})
            .field("border", &Laplacian::border)
            .method(&Laplacian::method, {.size = "2448x1505"})
            .runs();
    return info;
}

} // namespace glproc
