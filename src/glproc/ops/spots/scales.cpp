#include "glproc/ops/spots/scales.hpp"

#include "glproc/arrays/lines/lines.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <span>
#include <utility>

namespace glproc {

namespace {

constexpr int linear_scales = 10;
constexpr double dog_ratio = 1.6;

/// SciPy's weights of a Gaussian or, of order 2, of its second derivative.
std::vector<double> spot_weights(double sigma, int order) {
    const int reach = static_cast<int>(4 * sigma + 0.5);
    std::vector<double> weights;
    for (int i = -reach; i <= reach; ++i) {
        weights.push_back(std::exp(-0.5 / (sigma * sigma) * (double(i) * i)));
    }
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (int i = -reach; i <= reach; ++i) {
        double& weight = weights[static_cast<std::size_t>(i + reach)];
        const double slope = order == 2 ? (double(i) * i / (sigma * sigma) - 1) / (sigma * sigma) : 1;
        weight = weight / sum * slope;
    }
    return weights;
}

LinePass spot_pass(int axis, double sigma, int order) {
    LinePass pass{.axis = axis, .border = BorderMode::reflect, .weights = spot_weights(sigma, order)};
    pass.size = static_cast<std::int64_t>(pass.weights.size());
    return pass;
}

SpotPlane like(const SpotPlane& plane) {
    return {plane.width, plane.height, std::vector<double>(plane.values.size())};
}

SpotPlane integral_of(SpotPlane plane) {
    const auto width = static_cast<std::size_t>(plane.width);
    for (std::size_t i = 0; i < plane.values.size(); ++i) {
        const bool has_left = i % width > 0;
        const bool has_above = i >= width;
        plane.values[i] += (has_left ? plane.values[i - 1] : 0) + (has_above ? plane.values[i - width] : 0) -
                           (has_left && has_above ? plane.values[i - width - 1] : 0);
    }
    return plane;
}

/// A sum of `rows` by `columns` values below and right of (y, x), cut to the picture as scikit-image does it.
double box_sum(const SpotPlane& integral, int y, int x, int rows, int columns) {
    const auto row = [&](int at) { return std::clamp(at, 0, integral.height - 1); };
    const auto column = [&](int at) { return std::clamp(at, 0, integral.width - 1); };
    const int top = row(y);
    const int left = column(x);
    const int bottom = row(top + rows);
    const int right = column(left + columns);
    const double sum = integral.at(left, top) + integral.at(right, bottom) - integral.at(right, top) -
                       integral.at(left, bottom);
    return std::max(sum, 0.0);
}

std::vector<double> spot_sigmas(SpotMethod method, double lo, double hi) {
    std::vector<double> sigmas;
    if (method == SpotMethod::dog) {
        const int steps = static_cast<int>(std::log(hi / lo) / std::log(dog_ratio) + 1);
        for (int i = 0; i <= steps; ++i) {
            sigmas.push_back(lo * std::pow(dog_ratio, i));
        }
        return sigmas;
    }
    const int count = lo == hi ? 1 : linear_scales;
    for (int i = 0; i < count; ++i) {
        sigmas.push_back(i + 1 == count ? hi : lo + i * ((hi - lo) / (linear_scales - 1)));
    }
    return sigmas;
}

} // namespace

double spot_radius_per_sigma(SpotMethod method) {
    return method == SpotMethod::doh ? 1 : std::numbers::sqrt2;
}

SpotScales::SpotScales(SpotMethod method, const PerAxis<double>& radius, SpotPlane source)
    : method_(method), sigmas_(spot_sigmas(method, radius.x / spot_radius_per_sigma(method),
                                           radius.y / spot_radius_per_sigma(method))),
      source_(method == SpotMethod::doh ? integral_of(std::move(source)) : std::move(source)) {}

std::size_t SpotScales::count() const {
    return method_ == SpotMethod::dog ? sigmas_.size() - 1 : sigmas_.size();
}

SpotPlane SpotScales::answer(std::size_t scale) {
    return method_ == SpotMethod::log   ? laplacian(sigma(scale))
           : method_ == SpotMethod::dog ? difference(scale)
                                        : determinant(sigma(scale));
}

SpotPlane SpotScales::filtered(double sigma, int order_x, int order_y) const {
    const LineJob job{.source = {Number::f64, {source_.height, source_.width}},
                      .result = Number::f64,
                      .passes = {spot_pass(0, sigma, order_y), spot_pass(1, sigma, order_x)}};
    SpotPlane result = like(source_);
    job.run_on_cpu(std::as_bytes(std::span(source_.values)),
                   std::as_writable_bytes(std::span(result.values)));
    return result;
}

SpotPlane SpotScales::laplacian(double sigma) const {
    SpotPlane result = filtered(sigma, 0, 2);
    const SpotPlane across = filtered(sigma, 2, 0);
    std::ranges::transform(result.values, across.values, result.values.begin(),
                           [&](double a, double b) { return -(a + b) * (sigma * sigma); });
    return result;
}

SpotPlane SpotScales::difference(std::size_t scale) {
    SpotPlane result = scale == 0 ? filtered(sigma(0), 0, 0) : std::move(blurred_);
    blurred_ = filtered(sigma(scale + 1), 0, 0);
    std::ranges::transform(result.values, blurred_.values, result.values.begin(),
                           [](double a, double b) { return (a - b) / (dog_ratio - 1); });
    return result;
}

SpotPlane SpotScales::determinant(double sigma) const {
    const int whole = static_cast<int>(3 * sigma);
    const int half = (whole - 1) / 2;
    const int third = whole / 3;
    const int side = whole;
    const double weight = 1.0 / whole / whole;
    SpotPlane result = like(source_);
    for (int y = 0; y < source_.height; ++y) {
        for (int x = 0; x < source_.width; ++x) {
            const auto sum = [&](int dy, int dx, int rows, int columns) {
                return box_sum(source_, y + dy, x + dx, rows, columns);
            };
            const double xy = (sum(-third, 1, third, third) + sum(1, -third, third, third) -
                               sum(-third, -third, third, third) - sum(1, 1, third, third)) *
                              weight;
            const double xx = (sum(1 - third, -half, 2 * third - 1, side) -
                               3 * sum(1 - third, -(third / 2), 2 * third - 1, third)) *
                              weight;
            const double yy = (sum(-half, 1 - third, side, 2 * third - 1) -
                               3 * sum(-(third / 2), 1 - third, third, 2 * third - 1)) *
                              weight;
            result.values[static_cast<std::size_t>(y) * static_cast<std::size_t>(source_.width) +
                          static_cast<std::size_t>(x)] = xx * yy - 0.81 * (xy * xy);
        }
    }
    return result;
}

double shared_area(const Spot& one, const Spot& other) {
    const double most = std::max(one.radius, other.radius);
    const double least = std::min(one.radius, other.radius);
    const double d = std::hypot(one.x - other.x, one.y - other.y);
    if (d >= most + least || d <= most - least) {
        return d <= most - least ? 1 : 0;
    }
    const auto angle = [d](double a, double b) {
        return std::acos(std::clamp((d * d + a * a - b * b) / (2 * d * a), -1.0, 1.0));
    };
    const double kite = (least + most - d) * (d - least + most) * (d + least - most) * (d + least + most);
    const double area = most * most * angle(most, least) + least * least * angle(least, most) -
                        0.5 * std::sqrt(std::abs(kite));
    return area / (std::numbers::pi * least * least);
}

} // namespace glproc
