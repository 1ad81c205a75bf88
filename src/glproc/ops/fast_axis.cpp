#include "glproc/ops/fast_axis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace glproc {

namespace {

constexpr int quarters = 4; // of a mean, each as long as the way to the next

/// Pixels that stand in for a mean with weights from `first` on, relative to pixel 0.
struct Footprint {
    int first = 0;
    std::vector<double> weights = {1.0};

    double at(int i) const {
        return i < first || i >= first + static_cast<int>(weights.size())
                   ? 0.0
                   : weights[static_cast<std::size_t>(i - first)];
    }
};

/// The factors of a reduction, each at most 8: their product is the largest one that fits.
std::vector<int> factors_of(double sigma) {
    const double most = sigma / 1.25;
    if (most < 9) {
        return {static_cast<int>(most)};
    }
    double scale = 1;
    while (most / scale >= 9) { // 5, 6, 7 or 8 times a power of two
        scale *= 2;
    }
    const int odd = static_cast<int>(most / scale);
    int left = static_cast<int>(scale);
    std::vector<int> factors;
    for (; left >= 8; left /= 8) {
        factors.push_back(8);
    }
    factors.push_back(odd);
    if (left > 1) {
        factors.push_back(left);
    }
    std::sort(factors.rbegin(), factors.rend()); // the first one reads the most
    return factors;
}

/// Weights of a mean's pixels: a Gaussian of 0.65 `factor`.
std::vector<double> mean_weights(int factor) {
    std::vector<double> weights(static_cast<std::size_t>(quarters * factor));
    const double centre = (quarters * factor - 1) / 2.0;
    double sum = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const double at = (static_cast<double>(i) - centre) / (0.65 * factor);
        weights[i] = std::exp(-at * at / 2);
        sum += weights[i];
    }
    for (double& weight : weights) {
        weight /= sum;
    }
    return weights;
}

/// Means of means that are `step` pixels apart.
Footprint reduce(const Footprint& fine, int step, int factor) {
    const std::vector<double> weights = mean_weights(factor);
    Footprint result{fine.first - 2 * factor * step, {}};
    result.weights.assign((weights.size() - 1) * static_cast<std::size_t>(step) + fine.weights.size(), 0.0);
    for (std::size_t i = 0; i < weights.size(); ++i) {
        for (std::size_t k = 0; k < fine.weights.size(); ++k) {
            result.weights[i * static_cast<std::size_t>(step) + k] += weights[i] * fine.weights[k];
        }
    }
    return result;
}

/// How much two footprints have in common, the second `lag` pixels on.
double overlap(const Footprint& a, const Footprint& b, int lag) {
    double sum = 0;
    for (std::size_t i = 0; i < a.weights.size(); ++i) {
        sum += a.weights[i] * b.at(a.first + static_cast<int>(i) - lag);
    }
    return sum;
}

/// Solves a x = b for a symmetric positive definite matrix, by Gauss elimination.
std::vector<double> solve(std::vector<std::vector<double>> a, std::vector<double> b) {
    const std::size_t n = b.size();
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = i + 1; k < n; ++k) {
            const double ratio = a[k][i] / a[i][i];
            for (std::size_t j = i; j < n; ++j) {
                a[k][j] -= ratio * a[i][j];
            }
            b[k] -= ratio * b[i];
        }
    }
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t j = i + 1; j < n; ++j) {
            b[i] -= a[i][j] * b[j];
        }
        b[i] /= a[i][i];
    }
    return b;
}

double sum_of(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) {
        sum += value;
    }
    return sum;
}

/// For each phase the weights of `axis.taps` means that come nearest to the Gaussian.
void fit_weights(FastAxis& axis, const Footprint& mean, const std::vector<double>& half_kernel) {
    const auto taps = static_cast<std::size_t>(axis.taps);
    std::vector<std::vector<double>> common(taps, std::vector<double>(taps));
    for (std::size_t i = 0; i < taps; ++i) {
        for (std::size_t k = 0; k < taps; ++k) {
            common[i][k] = overlap(mean, mean, axis.factor * (static_cast<int>(i) - static_cast<int>(k)));
        }
    }
    const int radius = static_cast<int>(half_kernel.size()) - 1;
    Footprint gauss{-radius, {}};
    for (int i = -radius; i <= radius; ++i) {
        gauss.weights.push_back(half_kernel[static_cast<std::size_t>(std::abs(i))]);
    }
    const std::vector<double> level = solve(common, std::vector<double>(taps, 1.0));
    for (int phase = 0; phase < axis.factor; ++phase) {
        std::vector<double> wanted(taps);
        for (std::size_t i = 0; i < taps; ++i) {
            const int first_mean = axis.factor * (static_cast<int>(i) - axis.taps / 2 + 1);
            wanted[i] = overlap(mean, gauss, phase - axis.shift - first_mean);
        }
        std::vector<double> weights = solve(common, wanted);
        const double missing = (1 - sum_of(weights)) / sum_of(level);
        for (std::size_t i = 0; i < taps; ++i) {
            axis.weights.push_back(static_cast<float>(weights[i] + missing * level[i]));
        }
        axis.weights.resize((axis.weights.size() + 3) / 4 * 4); // whole vectors for each phase
    }
}

int floor_div(int a, int b) {
    return a >= 0 ? a / b : -((b - 1 - a) / b);
}

} // namespace

FastAxis plan_fast_axis(const std::vector<double>& half_kernel, double sigma, int size) {
    FastAxis axis;
    Footprint mean;
    int half_steps = 0; // twice the way from a mean's centre to its pixel 0
    for (const int factor : factors_of(sigma)) {
        half_steps += axis.factor;
        mean = reduce(mean, axis.factor, factor);
        axis.factor *= factor;
        Reduction reduction{.factor = factor,
                            .weights = std::vector<float>(static_cast<std::size_t>(quarters * factor))};
        const std::vector<double> weights = mean_weights(factor);
        for (int i = 0; i < quarters * factor; ++i) {
            reduction.weights[static_cast<std::size_t>(i)] =
                static_cast<float>(weights[static_cast<std::size_t>(i)]);
        }
        axis.reductions.push_back(reduction);
    }
    axis.shift = half_steps / 2;
    axis.taps = sigma / axis.factor < 1.4 ? 8 : sigma / axis.factor < 1.65 ? 10 : 12;
    fit_weights(axis, mean, half_kernel);

    axis.first_block = floor_div(axis.shift, axis.factor);
    int first = axis.first_block - axis.taps / 2 + 1;
    int last = floor_div(size - 1 + axis.shift, axis.factor) + axis.taps / 2;
    for (auto reduction = axis.reductions.rbegin(); reduction != axis.reductions.rend(); ++reduction) {
        reduction->means = last - first + 1;
        const int factor = reduction->factor;
        const int first_below = factor * (first - 2);
        const bool from_image = reduction + 1 == axis.reductions.rend();
        reduction->first = from_image ? first_below : 0;
        last = factor * (last + 2) - 1;
        first = first_below;
    }
    return axis;
}

int fast_reach(const FastAxis& axis) {
    const Reduction& of_pixels = axis.reductions.front();
    const int first = of_pixels.first;
    const int last = first + (of_pixels.means - 1 + quarters) * of_pixels.factor - 1;
    const int reach = std::max(-first, last - (axis.factor - 1));
    return (reach + axis.factor - 1) / axis.factor * axis.factor;
}

} // namespace glproc
