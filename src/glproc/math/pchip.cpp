#include "glproc/math/pchip.hpp"

#include <algorithm>
#include <cmath>

namespace glproc {

namespace {

/// The slope at an end, from the lengths and slopes of the two pieces next to it: of a parabola, unless that
/// would turn.
double end_slope(double length, double next_length, double slope, double next_slope) {
    const double parabola =
        ((2 * length + next_length) * slope - length * next_slope) / (length + next_length);
    if (parabola * slope <= 0) {
        return 0;
    }
    return slope * next_slope < 0 && std::abs(parabola) > 3 * std::abs(slope) ? 3 * slope : parabola;
}

/// The slope at a point between two pieces: a weighted harmonic mean, 0 where the curve turns.
double inner_slope(double before_length, double after_length, double before, double after) {
    if (before * after <= 0) {
        return 0;
    }
    const double first = 2 * after_length + before_length;
    const double second = after_length + 2 * before_length;
    return (first + second) / (first / before + second / after);
}

} // namespace

double CurvePiece::at(double x) const {
    const double t = std::isnan(x) ? x : std::clamp((x - begin) / length, 0.0, 1.0);
    return ((coefficients[3] * t + coefficients[2]) * t + coefficients[1]) * t + coefficients[0];
}

std::vector<CurvePiece> pchip(std::span<const std::array<double, 2>> points) {
    const std::size_t count = points.size() - 1;
    std::vector<double> lengths(count);
    std::vector<double> slopes(count);
    for (std::size_t i = 0; i < count; ++i) {
        lengths[i] = points[i + 1][0] - points[i][0];
        slopes[i] = (points[i + 1][1] - points[i][1]) / lengths[i];
    }
    std::vector<double> at_points(count + 1, slopes[0]);
    if (count > 1) {
        at_points[0] = end_slope(lengths[0], lengths[1], slopes[0], slopes[1]);
        at_points[count] =
            end_slope(lengths[count - 1], lengths[count - 2], slopes[count - 1], slopes[count - 2]);
    }
    for (std::size_t i = 1; i < count; ++i) {
        at_points[i] = inner_slope(lengths[i - 1], lengths[i], slopes[i - 1], slopes[i]);
    }
    std::vector<CurvePiece> curve(count);
    for (std::size_t i = 0; i < count; ++i) {
        const double rise = points[i + 1][1] - points[i][1];
        const double first = at_points[i] * lengths[i];
        const double last = at_points[i + 1] * lengths[i];
        curve[i] = {points[i][0],
                    lengths[i],
                    {points[i][1], first, 3 * rise - 2 * first - last, first + last - 2 * rise}};
    }
    return curve;
}

double value_at(std::span<const CurvePiece> curve, double x) {
    const auto next =
        std::upper_bound(curve.begin() + 1, curve.end(), x,
                         [](double value, const CurvePiece& piece) { return value < piece.begin; });
    return (next - 1)->at(x);
}

} // namespace glproc
