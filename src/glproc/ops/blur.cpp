#include "glproc/ops/blur.hpp"

#include "glproc/ops/separable.hpp"

#include <cmath>

namespace glproc {

namespace {

constexpr Limit sigma_limit{0, 1000};
constexpr Limit truncate_limit{0, 100};

std::vector<float> to_float(const std::vector<double>& values) {
    return {values.begin(), values.end()};
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
    check_limit("sigma", sigma.x, sigma_limit);
    check_limit("sigma", sigma.y, sigma_limit);
    check_limit("truncate", truncate, truncate_limit);
    const auto reach = [&](double s, int given) {
        return s == 0 ? 0 : radius ? given : static_cast<int>(std::floor(truncate * s + 0.5));
    };
    const PerAxis<int> given = radius.value_or(0);
    const PerAxis<int> r{reach(sigma.x, given.x), reach(sigma.y, given.y)};
    check_limit("radius", r.x, radius_limit);
    check_limit("radius", r.y, radius_limit);
    return run_separable(gpu, src,
                         {.name = "blur",
                          .radius = r,
                          .taps_x = to_float(gaussian_taps(sigma.x, r.x)),
                          .taps_y = to_float(gaussian_taps(sigma.y, r.y)),
                          .border = border,
                          .alpha = alpha,
                          .method = method});
}

const OpInfo& blur_info() {
    static const OpInfo info =
        Describe<Blur>("blur", "Gaussian blur", "in.png out.png --sigma 2")
            .field("sigma", &Blur::sigma,
                   {.value = "S[,SY]",
                    .unit = "pixels",
                    .limit = sigma_limit,
                    .help = "standard deviation, of both axes or of each",
                    .required = true})
            .field("truncate", &Blur::truncate,
                   {.value = "T",
                    .unit = "sigmas",
                    .limit = truncate_limit,
                    .help = "where the Gaussian is cut off"})
            .field("radius", &Blur::radius,
                   {.value = "R[,RY]",
                    .unit = "pixels",
                    .limit = radius_limit,
                    .help = "where it is cut off, instead of --truncate"})
            .field("border", &Blur::border, {.value = "B", .help = "what lies beyond the image"})
            .field("method", &Blur::method, {.value = "M", .help = "how it is computed"})
            .field("alpha", &Blur::alpha, {.value = "A", .help = "what happens to transparency"})
            .image_filter();
    return info;
}

} // namespace glproc
