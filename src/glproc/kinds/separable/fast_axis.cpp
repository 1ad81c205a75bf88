#include "glproc/kinds/separable/fast_axis.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numbers>
#include <utility>

namespace glproc {

namespace {

constexpr int most_stride = 8;
constexpr double least_sigma_again = 3.5; // of samples that are reduced once more

/// The factor by which a filter changes a wave of so many cycles per pixel.
using Response = std::function<double(double frequency)>;

/// The response of weights that are symmetric around the middle. The cosines of steps follow from the two
/// before.
double response(const std::vector<double>& weights, double frequency) {
    const double step = 2 * std::numbers::pi * frequency;
    const bool is_odd = weights.size() % 2 == 1;
    double now = std::cos(is_odd ? 0.0 : step / 2);
    double before = std::cos(is_odd ? step : step / 2); // one step back; cosines are even
    double sum = is_odd ? -weights[weights.size() / 2] : 0.0;
    for (std::size_t i = weights.size() / 2; i < weights.size(); ++i) {
        sum += 2 * weights[i] * now;
        before = 2 * std::cos(step) * now - before;
        std::swap(now, before);
    }
    return sum;
}

double variance(const std::vector<double>& weights) {
    double sum = 0;
    double squares = 0;
    const double centre = (static_cast<double>(weights.size()) - 1) / 2;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const double distance = static_cast<double>(i) - centre;
        sum += weights[i];
        squares += weights[i] * distance * distance;
    }
    return squares / sum;
}

/// The exponential of a semicircle, over width * stride pixels; narrower, the less of `sigma` is left to the
/// samples.
std::vector<double> mean_weights(int width, int stride, double sigma) {
    const double beta = std::numbers::pi * width * (1 - 0.45 * stride / sigma);
    std::vector<double> weights(static_cast<std::size_t>(width) * static_cast<std::size_t>(stride));
    const double half = static_cast<double>(weights.size()) / 2;
    double sum = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const double at = (static_cast<double>(i) + 0.5 - half) / half;
        weights[i] = std::exp(beta * (std::sqrt(1 - at * at) - 1));
        sum += weights[i];
    }
    for (double& weight : weights) {
        weight /= sum;
    }
    return weights;
}

/// The same weights as for samples, scaled to add up to 1 for each of a pixel's places in the stride.
std::vector<double> spread_weights(std::vector<double> weights, int stride) {
    const auto step = static_cast<std::size_t>(stride);
    for (std::size_t phase = 0; phase < step; ++phase) {
        double sum = 0;
        for (std::size_t i = phase; i < weights.size(); i += step) {
            sum += weights[i];
        }
        for (std::size_t i = phase; i < weights.size(); i += step) {
            weights[i] /= sum;
        }
    }
    return weights;
}

FastLevel level_of(const std::vector<double>& down, const std::vector<double>& up, int stride) {
    FastLevel level{.stride = stride, .down = {down.begin(), down.end()}, .up = {}};
    const int width = static_cast<int>(down.size()) / stride;
    for (int phase = 0; phase < stride; ++phase) {
        for (int i = 0; i < width;
             ++i) { // the first of the samples around a pixel sees it in its last stride
            level.up.push_back(
                static_cast<float>(up[static_cast<std::size_t>((width - 1 - i) * stride + phase)]));
        }
    }
    return level;
}

/// The filter that samples need so that the whole comes nearest to `wanted`.
Response filter_between(const std::vector<double>& down, const std::vector<double>& up, int stride,
                        const Response& wanted) {
    return [=](double frequency) {
        double product = 0;
        double down_squares = 0;
        double up_squares = 0;
        for (int alias = 0; alias < stride; ++alias) {
            double f = (frequency + alias) / stride;
            f -= std::round(f);
            const double h = response(down, f);
            const double u = response(up, f);
            product += h * u * wanted(f);
            down_squares += h * h;
            up_squares += u * u;
        }
        return stride * product / (down_squares * up_squares);
    };
}

/// The half kernel of a filter, cut where the rest adds up to less than `rest`.
std::vector<double> half_kernel(const Response& filter, double rest) {
    constexpr int frequencies = 32; // from 0 to half a cycle a sample
    constexpr int most_radius = 16; // the largest that `window` has room for
    std::vector<double> values;
    for (int i = 0; i <= frequencies; ++i) {
        values.push_back(filter(0.5 * i / frequencies) / (i == 0 || i == frequencies ? 2 : 1));
    }
    std::vector<double> taps;
    for (int k = 0; k <= most_radius; ++k) {
        double sum = 0;
        for (int i = 0; i <= frequencies; ++i) {
            sum += values[static_cast<std::size_t>(i)] * std::cos(std::numbers::pi * i * k / frequencies);
        }
        taps.push_back(sum / frequencies);
    }
    for (double left = 0; taps.size() > 1 && left + 2 * std::abs(taps.back()) < rest; taps.pop_back()) {
        left += 2 * std::abs(taps.back());
    }
    double sum = -taps.front();
    for (const double tap : taps) {
        sum += 2 * tap;
    }
    for (double& tap : taps) {
        tap /= sum;
    }
    return taps;
}

} // namespace

FastAxis plan_fast_axis(double sigma, int width) {
    FastAxis axis{.width = width, .levels = {}, .middle = {}};
    Response wanted = [sigma](double f) {
        const double angle = 2 * std::numbers::pi * f * sigma;
        return std::exp(-angle * angle / 2);
    };
    do {
        const int stride = std::clamp(static_cast<int>(sigma / 2), 2, most_stride);
        const std::vector<double> down = mean_weights(width, stride, sigma);
        const std::vector<double> up = spread_weights(down, stride);
        axis.levels.push_back(level_of(down, up, stride));
        wanted = filter_between(down, up, stride, wanted);
        sigma = std::sqrt(sigma * sigma - variance(down) - variance(up)) / stride;
    } while (sigma >= least_sigma_again);
    axis.middle = half_kernel(wanted, width == 5 ? 4e-6 : 4e-7);
    return axis;
}

int FastAxis::factor() const {
    int factor = 1;
    for (const FastLevel& level : levels) {
        factor *= level.stride;
    }
    return factor;
}

int FastAxis::reach(std::size_t first) const {
    int reach = static_cast<int>(middle.size()) - 1;
    for (std::size_t i = levels.size(); i > first; --i) {
        reach = (reach + width) * levels[i - 1].stride;
    }
    return reach;
}

void FastAxis::extend(std::size_t count) {
    while (levels.size() < count) {
        FastLevel level{.stride = 1, .down = std::vector<float>(static_cast<std::size_t>(width)), .up = {}};
        level.down[static_cast<std::size_t>(width / 2)] = 1;
        level.up.assign(level.down.rbegin(), level.down.rend());
        levels.push_back(level);
    }
}

} // namespace glproc
