#include "support/resample_reference.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace glproc::test {

namespace {

constexpr double pi = 3.14159265358979323846;

double reach(const std::string& filter) {
    return filter == "lanczos3"                        ? 3
           : filter == "cubic" || filter == "mitchell" ? 2
           : filter == "linear"                        ? 1
                                                       : 0.5;
}

double weight(const std::string& filter, double x) {
    const double t = std::abs(x);
    if (filter == "lanczos3") {
        return t < 1e-12 ? 1 : t < 3 ? 3 * std::sin(pi * t) * std::sin(pi * t / 3) / (pi * pi * t * t) : 0;
    }
    if (filter == "cubic") { // R. Keys, 1981, with a = -1/2
        return t < 1   ? 1.5 * t * t * t - 2.5 * t * t + 1
               : t < 2 ? -0.5 * t * t * t + 2.5 * t * t - 4 * t + 2
                       : 0;
    }
    if (filter == "mitchell") {
        return t < 1   ? (7 * t * t * t - 12 * t * t + 16.0 / 3) / 6
               : t < 2 ? (-7.0 / 3 * t * t * t + 12 * t * t - 20 * t + 32.0 / 3) / 6
                       : 0;
    }
    if (filter == "linear") {
        return std::max(0.0, 1 - t);
    }
    return x > -0.5 && x <= 0.5 ? 1 : 0;
}

/// The weights of all pixels of a line of `from`, most of them 0.
std::vector<double> line_weights(const std::string& filter, const Part1D& part, int from, int o) {
    std::vector<double> weights(static_cast<std::size_t>(from), 0.0);
    const double scale = part.length / part.to;
    const double centre = part.begin + (o + 0.5) * part.length / part.to;
    if (part.begin == 0 && part.length == from && part.to == from) {
        weights[static_cast<std::size_t>(o)] = 1;
        return weights;
    }
    if (filter == "nearest") {
        weights[static_cast<std::size_t>(std::clamp(static_cast<int>(std::floor(centre)), 0, from - 1))] = 1;
        return weights;
    }
    const double widened = std::max(scale, 1.0);
    const int first = std::max(static_cast<int>(std::floor(centre - reach(filter) * widened + 0.5)), 0);
    const int end = std::min(static_cast<int>(std::floor(centre + reach(filter) * widened + 0.5)), from);
    double sum = 0;
    for (int i = first; i < end; ++i) {
        sum += weights[static_cast<std::size_t>(i)] = weight(filter, (i + 0.5 - centre) / widened);
    }
    for (double& w : weights) {
        w /= sum;
    }
    return weights;
}

double light_of(double v) {
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

double code_of(double light) {
    return light <= 0.0031308 ? 12.92 * light : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
}

Reference sized(const Reference& image, int width, int height) {
    Reference result = image;
    result.width = width;
    result.height = height;
    result.values.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) *
                             static_cast<std::size_t>(image.channels),
                         0.0);
    return result;
}

Reference along(const Reference& image, const std::string& filter, const Part1D& part, bool x_axis) {
    Reference result = sized(image, x_axis ? part.to : image.width, x_axis ? image.height : part.to);
    for (int o = 0; o < part.to; ++o) {
        const auto weights = line_weights(filter, part, x_axis ? image.width : image.height, o);
        for (std::size_t i = 0; i < weights.size(); ++i) {
            if (weights[i] == 0) {
                continue;
            }
            const auto from = static_cast<int>(i);
            for (int line = 0; line < (x_axis ? image.height : image.width); ++line) {
                for (int c = 0; c < image.channels; ++c) {
                    result.at(x_axis ? o : line, x_axis ? line : o, c) +=
                        weights[i] * image.at(x_axis ? from : line, x_axis ? line : from, c);
                }
            }
        }
    }
    return result;
}

} // namespace

Reference resampled(const Image& image, const std::string& filter, const Part1D& x, const Part1D& y,
                    bool premultiply, bool linear) {
    const bool has_alpha = image.has_alpha() && premultiply && filter != "nearest";
    const bool light = linear && image.depth() != Depth::f32 && filter != "nearest";
    const double full = max_code(image.depth());
    const double unit = light ? full : 1; // codes stay what they are, so that ties stay ties
    const auto is_colour = [&](std::size_t i) {
        const auto channels = static_cast<std::size_t>(image.channels());
        return !image.has_alpha() || i % channels != channels - 1;
    };
    const auto alpha_of = [&](const Reference& picture, std::size_t i) {
        const auto channels = static_cast<std::size_t>(image.channels());
        return picture.values[i / channels * channels + channels - 1];
    };
    Reference sums = reference_of(image);
    for (double& v : sums.values) {
        v /= unit;
    }
    const Reference values = sums;
    for (std::size_t i = 0; i < sums.values.size(); ++i) {
        if (is_colour(i)) {
            sums.values[i] = light ? light_of(sums.values[i]) : sums.values[i];
            sums.values[i] *= has_alpha ? alpha_of(values, i) : 1;
        }
    }
    sums = along(sums, filter, x, true);
    if (image.depth() == Depth::u8) {
        const double most = full / unit;
        for (std::size_t i = 0; i < sums.values.size(); ++i) {
            const double alpha = has_alpha ? std::max(alpha_of(sums, i), 0.0) : 1; // colours come before it
            sums.values[i] = has_alpha && !is_colour(i) ? alpha : std::clamp(sums.values[i], 0.0, most * alpha);
        }
    }
    sums = along(sums, filter, y, false);
    Reference result = sums;
    for (std::size_t i = 0; i < sums.values.size(); ++i) {
        double& v = result.values[i];
        if (is_colour(i)) {
            const double alpha = has_alpha ? alpha_of(sums, i) : 1;
            const bool shows = image.depth() == Depth::f32 ? alpha != 0 : alpha > 0;
            v = shows ? v / alpha : 0;
            v = light ? code_of(v) : v;
        }
        v *= unit;
    }
    return result;
}

} // namespace glproc::test
