#include "glproc/kinds/gather/windows.hpp"

#include "glproc/base/covering.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace glproc {

namespace {

double sinc(double x) {
    return x == 0 ? 1 : std::sin(std::numbers::pi * x) / (std::numbers::pi * x);
}

/// D. Mitchell and A. Netravali, Reconstruction filters in computer graphics, SIGGRAPH 1988.
double cubic(double b, double c, double x) {
    x = std::abs(x);
    if (x < 1) {
        return ((12 - 9 * b - 6 * c) * x * x * x + (-18 + 12 * b + 6 * c) * x * x + 6 - 2 * b) / 6;
    }
    if (x < 2) {
        return ((-b - 6 * c) * x * x * x + (6 * b + 30 * c) * x * x + (-12 * b - 48 * c) * x + 8 * b +
                24 * c) /
               6;
    }
    return 0;
}

/// The factor by which the filter is widened.
double widening(const Stretch& stretch) {
    return std::max(stretch.scale(), 1.0);
}

double centre_of(const Stretch& stretch, int o) {
    return stretch.begin + (o + 0.5) * stretch.length / stretch.to; // exact where it is a whole number
}

/// Where the window of `o` begins, regardless of the others.
int first_of(const Stretch& stretch, int o) {
    const double reach = reach_of(stretch.filter) * widening(stretch);
    return static_cast<int>(
        std::clamp(std::floor(centre_of(stretch, o) - reach + 0.5), 0.0, stretch.from - 1.0));
}

} // namespace

double weight_at(ResampleFilter filter, double distance) {
    const double far = std::abs(distance);
    switch (filter) {
    case ResampleFilter::lanczos3:
        return far < 3 ? sinc(distance) * sinc(distance / 3) : 0;
    case ResampleFilter::cubic:
        return cubic(0, 0.5, distance);
    case ResampleFilter::mitchell:
        return cubic(1.0 / 3, 1.0 / 3, distance);
    case ResampleFilter::linear:
        return std::max(1 - far, 0.0);
    case ResampleFilter::box:
    case ResampleFilter::nearest:
        break;
    }
    return distance > -0.5 && distance <= 0.5 ? 1 : 0;
}

double reach_of(ResampleFilter filter) {
    switch (filter) {
    case ResampleFilter::lanczos3:
        return 3;
    case ResampleFilter::cubic:
    case ResampleFilter::mitchell:
        return 2;
    case ResampleFilter::linear:
        return 1;
    case ResampleFilter::box:
    case ResampleFilter::nearest:
        break;
    }
    return 0.5;
}

int slots_of(ResampleFilter filter) {
    return std::max(static_cast<int>(2 * reach_of(filter)), 2);
}

Span window_of(const Stretch& stretch, int o) {
    if (stretch.is_whole()) {
        return {o, 1};
    }
    if (stretch.filter == ResampleFilter::nearest) {
        const double at = std::floor(centre_of(stretch, o));
        return {static_cast<int>(std::clamp(at, 0.0, stretch.from - 1.0)), 1};
    }
    const double reach = reach_of(stretch.filter) * widening(stretch);
    const int first = first_of(stretch, o);
    const double past = std::floor(centre_of(stretch, o) + reach + 0.5);
    int end = static_cast<int>(std::clamp(past, first + 1.0, static_cast<double>(stretch.from)));
    // If there are slots_of() windows in a row, the first ends before or where the next one begins. Rounding
    // may say otherwise for a pixel whose weight is 0 anyway.
    const int slots = slots_of(stretch.filter);
    if (stretch.shrinks() && o + slots < stretch.to) {
        end = std::clamp(first_of(stretch, o + slots), first + 1, end);
    }
    return {first, stretch.shrinks() ? end - first : std::min(end - first, slots)};
}

std::vector<double> weights_of(const Stretch& stretch, int o, const Span& window) {
    const double centre = centre_of(stretch, o);
    std::vector<double> weights;
    for (int i = window.first; i < window.first + window.count; ++i) {
        weights.push_back(weight_at(stretch.filter, (i + 0.5 - centre) / widening(stretch)));
    }
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    if (sum == 0 || window.count == 1) { // a window of one pixel shows it as it is
        std::fill(weights.begin(), weights.end(), 1.0 / window.count);
        return weights;
    }
    std::transform(weights.begin(), weights.end(), weights.begin(), [sum](double w) { return w / sum; });
    return weights;
}

std::vector<double> short_weights(const std::vector<double>& weights) {
    const auto is_smaller = [](double a, double b) { return std::abs(a) < std::abs(b); };
    const auto largest = static_cast<std::size_t>(
        std::max_element(weights.begin(), weights.end(), is_smaller) - weights.begin());
    int exponent = 0;
    std::frexp(weights[largest], &exponent);
    for (int bits = 16;; --bits) {
        const double unit = std::ldexp(1, exponent - bits);
        std::vector<double> result(weights.size());
        std::transform(weights.begin(), weights.end(), result.begin(),
                       [unit](double w) { return std::nearbyint(w / unit) * unit; });
        result[largest] += 1 - std::accumulate(result.begin(), result.end(), 0.0);
        if (std::abs(result[largest]) <= std::ldexp(1, exponent)) { // otherwise it has a bit too many
            return result;
        }
    }
}

WindowTables make_tables(const TableKey& key) {
    const bool shrinks = key.stretch.shrinks();
    const int slots = slots_of(key.stretch.filter);
    const auto entries = static_cast<std::size_t>(shrinks ? key.length : key.count);
    WindowTables tables;
    tables.weights.resize(entries * static_cast<std::size_t>(slots));
    std::vector<int> unfinished; // for each pixel of the source, the first window that ends after it
    for (int o = 0; o < key.count; ++o) {
        const Span window = window_of(key.stretch, key.first + o);
        const int from = window.first - key.begin;
        const int end = from + window.count;
        tables.windows.push_back({from, end});
        unfinished.resize(std::max(unfinished.size(), static_cast<std::size_t>(end)), o);
        std::vector<double> weights = weights_of(key.stretch, key.first + o, window);
        weights = key.is_short ? short_weights(weights) : weights;
        for (int k = 0; k < window.count; ++k) {
            const int entry = shrinks ? from + k : o;
            const int slot =
                shrinks ? o - unfinished[static_cast<std::size_t>(from + k)] : slots - window.count + k;
            tables.weights[static_cast<std::size_t>(entry * slots + slot)] =
                static_cast<float>(weights[static_cast<std::size_t>(k)]);
        }
    }
    return tables;
}

PairTaps make_pairs(const TableKey& key, int grain) {
    PairTaps pairs;
    const auto window_at = [&key](int o) {
        const Span window = window_of(key.stretch, key.first + std::min(o, key.count - 1));
        return Span{window.first - key.begin, window.count};
    };
    for (int o = 0; o < key.count; o += 2) {
        const int first = window_at(o).first / grain * grain;
        pairs.first.push_back(first);
        for (const Span& window : {window_at(o), window_at(o + 1)}) {
            pairs.taps = std::max(pairs.taps, window.first + window.count - first);
        }
    }
    pairs.taps = covering(pairs.taps, grain) * grain;
    const std::size_t count = pairs.first.size();
    pairs.weights.resize(2 * count * static_cast<std::size_t>(pairs.taps));
    for (int o = 0; o < key.count; ++o) {
        const Span window = window_at(o);
        std::vector<double> weights =
            weights_of(key.stretch, key.first + o, {window.first + key.begin, window.count});
        weights = key.is_short ? short_weights(weights) : weights;
        const auto pair = static_cast<std::size_t>(o / 2);
        for (int k = 0; k < window.count; ++k) {
            const auto tap = static_cast<std::size_t>(window.first - pairs.first[pair] + k);
            pairs.weights[2 * (tap * count + pair) + static_cast<std::size_t>(o % 2)] =
                static_cast<float>(weights[static_cast<std::size_t>(k)]);
        }
    }
    return pairs;
}

} // namespace glproc
