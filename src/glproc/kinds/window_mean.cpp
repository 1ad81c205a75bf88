#include "glproc/kinds/window_mean.hpp"

#include <cmath>
#include <utility>

namespace glproc {

namespace {

/// The reference, on one pixel.
struct MeanReference {
    WindowMean mean;
    bool is_float = false;
    double full = 1;       ///< the largest code
    std::size_t alpha = 4; ///< the channel that weights the others, or 4

    double cover(const WindowPixel& pixel, std::size_t channel) const {
        return alpha < 4 && channel != alpha ? pixel[alpha] : 1;
    }
    double shown(const WindowPixel& pixel, std::size_t channel) const {
        const double product = pixel[channel] * cover(pixel, channel);
        return is_float || alpha == 4 || channel == alpha ? product : std::nearbyint(product / full);
    }
    double difference(const WindowPixel& near, const WindowPixel& own) const {
        double sum = 0;
        for (std::size_t c = 0; c < near.size(); ++c) {
            sum += std::abs(shown(near, c) - shown(own, c));
        }
        return sum;
    }
    WindowPixel operator()(const Around& around) const;
};

/// A mean of codes that is halfway between two, but for the last bits of doubles, is taken to be there, and
/// goes to the even one.
double mean_move(double moves, double weight, bool is_float) {
    const double halves = std::nearbyint(2 * moves / weight);
    const bool is_tie = !is_float && std::abs(2 * moves - halves * weight) < 1e-12 * weight;
    return is_tie ? halves / 2 : moves / weight;
}

WindowPixel MeanReference::operator()(const Around& around) const {
    const WindowPixel own = around(0, 0);
    WindowPixel moves{};
    WindowPixel weights{};
    bool is_lone = true;
    const auto add = [&](int dx, int dy) {
        const WindowPixel near = around(dx, dy);
        const double weight = mean.weight(dx * dx + dy * dy, difference(near, own));
        for (std::size_t c = 0; c < near.size() && weight > 0; ++c) {
            weights[c] += weight * cover(near, c);
            moves[c] += weight * cover(near, c) * (near[c] - own[c]);
        }
        is_lone = is_lone && weight == 0;
    };
    for (int dy = -mean.radius; dy <= mean.radius; ++dy) {
        const auto reach = static_cast<int>(std::sqrt(mean.radius * mean.radius - dy * dy));
        for (int dx = -reach; dx <= reach; ++dx) {
            add(dx, dy);
        }
    }
    WindowPixel result = own;
    for (std::size_t c = 0; c < result.size() && !is_lone; ++c) {
        result[c] = weights[c] == 0 ? 0 : own[c] + mean_move(moves[c], weights[c], is_float);
    }
    return result;
}

} // namespace

Plan window_mean_plan(const Form& form, Window window, const WindowMean& mean) {
    const bool is_weighted = form.has_alpha() && window.alpha == AlphaMode::premultiply;
    const MeanReference reference{.mean = mean,
                                  .is_float = form.depth == Depth::f32,
                                  .full = max_code(form.depth),
                                  .alpha = is_weighted ? static_cast<std::size_t>(form.channels - 1) : 4};
    // The sum of a row and the sum of all rows are rounded at each step, as are weights, products and the
    // quotient. The error counts twice, for moves and for weights, and twice because halves are decided.
    const double side = 2.0 * mean.radius + 1;
    const double roundings = 2 * side + 24;
    window.params = {float(4 * roundings * 0x1p-24), float(mean.radius * mean.radius)};
    window.params.insert(window.params.end(), mean.params.begin(), mean.params.end());
    // A driver's exponential function may miss 2^-e by (3 + 2 e) units in the last place, and its argument by a few. Up to
    // e = 24 that is 174 roundings. Smaller weights change a result by less than 1e-4 of a code for each pixel.
    window.params.resize(5);
    window.params.push_back(float(side * side * reference.full * 1e-4 / (roundings + 180)));
    window.params.push_back(float(4 * (roundings + 180) * 0x1p-24));
    window.has_columns = true;
    window.reach = mean.radius;
    window.turns = static_cast<std::int64_t>(2 * side * side); // what decides may go over all of them again
    window.reference = reference;
    return window_plan(form, std::move(window));
}

} // namespace glproc
