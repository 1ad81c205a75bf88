#include "glproc/ops/blur.hpp"

#include "glproc/op/describe.hpp"
#include "glproc/kinds/separable/bench.hpp"

#include <cmath>

namespace glproc {

namespace {

constexpr Limit sigma_limit{0, 1000};
constexpr Limit truncate_limit{0, 100};

SeparableFilter filter_of(const Blur& blur) {
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

} // namespace

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

GpuImage Blur::operator()(Context& gpu, const GpuImage& src) const {
    return run_separable(gpu, src, filter_of(*this));
}

void Blur::operator()(Context& gpu, const RowSource& from, RowWriter& to,
                      const TileProgress& progress) const {
    run_separable(gpu, from, to, filter_of(*this), progress);
}

const OpInfo& blur_info() {
    static const OpInfo info =
        Describe<Blur>("blur", "Gaussian blur", "in.png out.png --sigma 2")
            .field("sigma", &Blur::sigma,
                   {.value = "S[,SY]",
                    .unit = "pixels",
                    .limit = sigma_limit,
                    .help = "standard deviation, for both axes or for each",
                    .required = true})
            .field("truncate", &Blur::truncate,
                   {.value = "T",
                    .unit = "sigmas",
                    .limit = truncate_limit,
                    .help = "cut the Gaussian off at this distance; from 4 on `fast` may be used, which does not",
                    .contradicts = "radius"})
            .field("radius", &Blur::radius,
                   {.value = "R[,RY]",
                    .unit = "pixels",
                    .limit = radius_limit,
                    .help = "cut the Gaussian off at this distance in pixels, instead of --truncate",
                    .contradicts = "truncate"})
            .field("border", &Blur::border,
                   {.value = "B",
                    .help = "the pixels assumed beyond the edge; constant:V takes 0 to 1, a code such as "
                            "128/255, or a colour"})
            .field("method", &Blur::method, {.value = "M", .help = "the algorithm"})
            .field("alpha", &Blur::alpha, {.value = "A", .help = "how transparent pixels are weighted"})
            .toggle("linear", &Blur::linear, true,
                    {.help = "filter in linear light instead of on sRGB-encoded values; float images are "
                             "taken as linear"})
            .field("nan", &Blur::nan,
                   {.value = "N", .help = "what to do with NaN and infinities in float images"})
            .bench<ImageInput>(
                "method", &Blur::method,
                {.size = "2448x1505",
                 .ladders = {{.title = "Gaussian blur of a random 2448x1505 RGBA8 image, ms",
                              .columns = {{"sigma 2", "2448x1505", {{"sigma", "2"}}},
                                          {"sigma 10", "2448x1505", {{"sigma", "10"}}}}}}},
                [](const Blur& op, Context& gpu, const ImageInput& input) {
                    return why_not_measured(gpu, input, filter_of(op));
                },
                [](const Blur& op, Context& gpu, const ImageInput& input) {
                    return separable_workload(gpu, input, filter_of(op));
                })
            .image_filter([](const Blur& op, Context& gpu, const Form& form) {
                return separable_grid(gpu, form, filter_of(op));
            });
    return info;
}

} // namespace glproc
