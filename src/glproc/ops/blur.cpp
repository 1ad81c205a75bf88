#include "glproc/ops/blur.hpp"

#include "glproc/kinds/separable/separable.hpp"
#include "glproc/op/describe.hpp"

#include <cmath>

namespace glproc {

namespace {

constexpr Limit truncate_limit{0, 100};

} // namespace

SeparableFilter gaussian_filter(const Blur& blur) {
    check_limit("sigma", blur.sigma.x, sigma_limit);
    check_limit("sigma", blur.sigma.y, sigma_limit);
    check_limit("truncate", blur.truncate, truncate_limit);
    const auto reach = [&](double s, int given) {
        return s == 0 ? 0 : blur.radius ? given : static_cast<int>(std::floor(blur.truncate * s + 0.5));
    };
    const PerAxis<int> given = blur.radius.value_or(0);
    const PerAxis<int> r{reach(blur.sigma.x, given.x), reach(blur.sigma.y, given.y)};
    check_limit("radius", r.x, radius_limit);
    check_limit("radius", r.y, radius_limit);
    return {.name = "blur",
            .radius = r,
            .taps_x = gaussian_taps(blur.sigma.x, r.x),
            .taps_y = gaussian_taps(blur.sigma.y, r.y),
            .border = blur.border,
            .alpha = blur.alpha,
            .method = blur.method,
            .nan = blur.nan,
            .linear = blur.linear,
            .border_alpha = blur.border.alpha(),
            .sigma = blur.sigma};
}

std::vector<double> gaussian_taps(double sigma, int radius) {
    std::vector<double> taps(static_cast<std::size_t>(radius) + 1);
    double sum = 0;
    for (std::size_t i = 0; i < taps.size(); ++i) {
        const auto distance = static_cast<double>(i);
        taps[i] = sigma > 0 ? std::exp(-distance * distance / (2 * sigma * sigma)) : (i == 0 ? 1.0 : 0.0);
        sum += i == 0 ? taps[i] : 2 * taps[i];
    }
    for (double& tap : taps) {
        tap /= sum;
    }
    return taps;
}

Plan plan(const Blur& op, const Form& form) {
    if (const std::optional<Plan> light = plan_in_light(op, form); light && op.sigma != PerAxis<double>(0)) {
        return *light; // a filter that only copies values needs no curve
    }
    return separable_plan(form, gaussian_filter(op));
}

const OpInfo& blur_info() {
    static const OpInfo info =
        Describe<Blur>("blur", "blur an image with a Gaussian", "in.png out.png --sigma 2")
            .alias("gaussian")
            .example("Blur along rows only, as if the camera had moved",
                     "photo.jpg out.jpg --sigma 8,0 --linear")
            .example("Blur every image of a folder", "photos soft/ --sigma 2")
            .found_by({"gaussblur"}, "IN OUT --sigma {2}")
            .found_by({"gaussianblur"}, "IN OUT --sigma 2")
            .found_by({"-motion-blur N", "-radial-blur N", "-rotational-blur N", "-adaptive-blur N"})
            .cost({.alone = 8})
            .field("sigma", &Blur::sigma,
                   {.value = "S[,SY]",
                    .unit = "pixels",
                    .limit = sigma_limit,
                    .slider = {0, 30, 0.1},
                    .help = "standard deviation",
                    .required = true})
            .field("truncate", &Blur::truncate,
                   {.value = "T",
                    .unit = "sigmas",
                    .limit = truncate_limit,
                    .slider = {0, 6, 0.1},
                    .help =
                        "where to cut the Gaussian off; the method fast needs 4 or more",
                    .contradicts = "radius"})
            .field("radius", &Blur::radius,
                   {.value = "R[,RY]",
                    .unit = "pixels",
                    .limit = radius_limit,
                    .slider = {0, 100},
                    .help = "where to cut the Gaussian off, instead of --truncate",
                    .contradicts = "truncate"})
            .field("border", &Blur::border)
            .field("alpha", &Blur::alpha)
            .toggle("linear", &Blur::linear, true,
                    {.help = "blur in linear light instead of sRGB-encoded values"})
            .field("floats", &Blur::floats)
            .field("nan", &Blur::nan)
            .method(&Blur::method,
                    {.size = "2448x1505",
                     .ladders = {{.title = "Gaussian blur of a random 2448x1505 RGBA8 image, ms",
                                  .columns = {{"sigma 2", "2448x1505", {{"sigma", "2"}}},
                                              {"sigma 10", "2448x1505", {{"sigma", "10"}}}}}}})
            .runs();
    return info;
}

} // namespace glproc
