#include "glproc/kinds/convolution_window.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace glproc {

double Convolution::weight(int x, int y) const {
    if (!weights.empty()) {
        return weights[static_cast<std::size_t>(y * width + x)];
    }
    return std::accumulate(products.begin(), products.end(), 0.0,
                           [=](double sum, const WeightProduct& product) {
                               return sum + product.row[static_cast<std::size_t>(x)] *
                                                product.column[static_cast<std::size_t>(y)];
                           });
}

double Convolution::sum_of_weights() const {
    const auto total = [](const std::vector<double>& values) {
        return std::accumulate(values.begin(), values.end(), 0.0);
    };
    if (!weights.empty()) {
        return total(weights);
    }
    return std::accumulate(products.begin(), products.end(), 0.0,
                           [&](double sum, const WeightProduct& product) {
                               return sum + total(product.row) * total(product.column);
                           });
}

std::vector<WeightProduct> as_product(int width, int height, const std::vector<double>& weights) {
    const auto largest = std::max_element(weights.begin(), weights.end(),
                                          [](double a, double b) { return std::abs(a) < std::abs(b); });
    const auto at = static_cast<int>(largest - weights.begin());
    const auto weight = [&](int x, int y) { return weights[static_cast<std::size_t>(y * width + x)]; };
    if (*largest == 0) {
        return {};
    }
    WeightProduct product;
    for (int x = 0; x < width; ++x) {
        product.row.push_back(weight(x, at / width));
    }
    for (int y = 0; y < height; ++y) {
        product.column.push_back(weight(at % width, y) / *largest);
    }
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const double value =
                product.row[static_cast<std::size_t>(x)] * product.column[static_cast<std::size_t>(y)];
            if (std::abs(value - weight(x, y)) > 1e-9 * std::abs(*largest)) {
                return {};
            }
        }
    }
    return {product};
}

std::vector<double> shortened(const std::vector<double>& weights, double scale) {
    constexpr double most_missed = 1.0 / 1000;
    std::vector<double> result(weights.size());
    std::transform(weights.begin(), weights.end(), result.begin(), short_weight);
    double sum = 0; // of the error that even pictures get
    double squares = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const double change = result[i] - weights[i];
        sum += change;
        squares += change * change;
    }
    const double missed = 255 * std::abs(scale) * (std::abs(sum) + std::sqrt(squares));
    return missed <= most_missed ? result : weights;
}

int reach_of(const Convolution& convolution) {
    const auto along = [](int first, int count) { return std::max(-first, first + count - 1); };
    return std::max(
        {along(convolution.first.x, convolution.width), along(convolution.first.y, convolution.height), 1});
}

} // namespace glproc
