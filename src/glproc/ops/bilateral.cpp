#include "glproc/ops/bilateral.hpp"

#include "glproc/kinds/window_mean.hpp"
#include "glproc/op/describe.hpp"

#include <algorithm>
#include <cmath>

namespace glproc {

namespace {

// Of Mesa before 25 the loops of an invocation end after 65535 turns.
constexpr Limit disc_limit{1, 60};
constexpr Limit distance_limit{0.1, 1000};
constexpr Limit difference_limit{1e-6, 1e30};
constexpr double least_weight = 0x1p-40;

/// Of a Gaussian, not normalised.
double weight_of(double distance, double sigma) {
    const double weight = std::exp(-distance * distance / (2 * sigma * sigma));
    return weight >= least_weight ? weight : 0; // NaN weighs nothing, either
}

/// A factor: the weight of a number is 2 to the power of -(number x factor)^2.
double root_scale(double sigma) {
    return std::sqrt(0.5 / std::log(2.0)) / sigma;
}

/// The weights of squared distances up to `squared`, then the weights of differences of 0, 1, 2 … codes as far as they count, then 0.
std::vector<double> weight_table(int squared, double sigma, double range, double largest) {
    std::vector<double> weights;
    for (int i = 0; i <= squared; ++i) {
        weights.push_back(weight_of(std::sqrt(i), sigma));
    }
    for (double difference = 0; difference <= largest && weight_of(difference, range) > 0; ++difference) {
        weights.push_back(weight_of(difference, range));
    }
    weights.push_back(0);
    return weights;
}

} // namespace

Plan plan(const Bilateral& op, const Form& form) {
    check_limit("sigma", op.sigma, distance_limit);
    check_level("range", op.range, form, between_black_and_white, difference_limit);
    const int radius = op.radius.value_or(std::max(static_cast<int>(std::min(1.5 * op.sigma, 1e6)), 1));
    check_limit("radius", radius, disc_limit);
    const double range = op.range.value * max_code(form.depth);
    const int squared = radius * radius;
    const std::vector<double> table = form.depth == Depth::f32
                                          ? std::vector<double>{}
                                          : weight_table(squared, op.sigma, range, form.channels * max_code(form.depth));
    const WindowMean mean{.radius = radius,
                          .params = {float(std::pow(root_scale(op.sigma), 2)), float(root_scale(range)),
                                     float(double(table.size()) - squared - 2)}};
    return window_mean_plan(form,
                            {.name = "bilateral",
                             .glsl = "bilateral.glsl",
                             .table = table,
                             .border = op.border,
                             .alpha = op.alpha,
                             .method = op.method},
                            mean);
}

const OpInfo& bilateral_info() {
    static const OpInfo info =
        Describe<Bilateral>("bilateral", "smooth an image and keep its edges with a bilateral filter",
                            "in.png out.png --sigma 3")
            .example("Smooth fine texture and noise, but keep edges stronger than a twentieth of white",
                     "photo.jpg out.jpg --sigma 2 --range 5%")
            .found_by({"bilateralfilter"}, "IN OUT --sigma 3")
            .found_by({"-selective-blur N", "-bilateral-blur N", "-mean-shift N", "-kuwahara N", "-paint N"})
            .cost({.llvmpipe = 0, .per_work = 0.14})
            .field("sigma", &Bilateral::sigma,
                   {.value = "S",
                    .unit = "pixels",
                    .limit = distance_limit,
                    .slider = {0.5, 10, 0.1},
                    .help = "standard deviation of the Gaussian over distance",
                    .required = true})
            .field("range", &Bilateral::range,
                   {.value = "V",
                    .limit = difference_limit,
                    .slider = {0.01, 0.5, 0.005},
                    .help = "standard deviation of the Gaussian over differences, which are summed over the channels: edges much "
                            "stronger than this are kept"})
            .field("radius", &Bilateral::radius,
                   {.value = "R",
                    .unit = "pixels",
                    .limit = disc_limit,
                    .slider = {1, 20},
                    .help = "radius of the disc of pixels that are averaged; by default 1.5 sigma"})
            .field("border", &Bilateral::border)
            .field("alpha", &Bilateral::alpha)
            .method(&Bilateral::method,
                    {.size = "2448x1505",
                     .ladders = {{.title = "Bilateral filter of a random 2448x1505 RGBA8 image, ms",
                                  .columns = {{"radius 3", "2448x1505", {{"sigma", "2"}, {"radius", "3"}}},
                                              {"radius 5", "2448x1505", {{"sigma", "3.5"}, {"radius", "5"}}},
                                              {"radius 9", "2448x1505", {{"sigma", "6"}, {"radius", "9"}}}}}}})
            .runs();
    return info;
}

} // namespace glproc
