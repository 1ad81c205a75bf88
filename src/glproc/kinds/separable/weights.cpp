// The weights of separable filters, chosen so that every method gives the same bits.
#include "glproc/kinds/separable/passes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace glproc {

namespace {

/// How far a filter needs to reach along a line of n pixels.
struct Fold {
    bool repeats = false; ///< the line repeats, or continues with one value that never changes
    int period = 1;
    int reach = 0;
};

Fold fold_of(BorderMode border, int n) {
    switch (border) {
    case BorderMode::mirror:
        return {true, std::max(2 * (n - 1), 1), n - 1};
    case BorderMode::symmetric:
        return {true, 2 * n, n};
    case BorderMode::wrap:
        return {true, n, n / 2};
    case BorderMode::clamp:
    case BorderMode::constant:
        break;
    }
    return {false, n, n};
}

/// A half kernel that reaches no farther than it needs to and gives the same sums.
std::vector<double> fold_taps(const std::vector<double>& taps, const Fold& fold) {
    if (static_cast<int>(taps.size()) - 1 <= fold.reach) {
        return taps;
    }
    std::vector<double> result(static_cast<std::size_t>(fold.reach) + 1);
    for (int d = 0; d < static_cast<int>(taps.size()); ++d) {
        const int around = d % fold.period; // both ways round a repeating line lead to the same pixel
        const int k = fold.repeats ? std::min(around, fold.period - around) : std::min(d, fold.reach);
        result[static_cast<std::size_t>(k)] +=
            taps[static_cast<std::size_t>(d)] * (k == 0 && d > 0 ? 2.0 : 1.0);
    }
    return result;
}

/// Rounded to nearest, with 16 bits of mantissa.
float with_16_bits(float value) {
    int exponent = 0;
    const float mantissa = std::frexp(value, &exponent);
    return std::ldexp(std::nearbyint(std::ldexp(mantissa, 16)), exponent - 16);
}

/// How many pixels of a line a box counts.
double length_of(const std::vector<double>& counts, int radius) {
    double sum = 2.0 * radius + 1;
    if (!counts.empty()) {
        sum = -counts.front();
        for (const double count : counts) {
            sum += 2 * count;
        }
    }
    return sum;
}

PerAxis<double> box_size(const SeparableFilter& filter) {
    return {length_of(filter.taps_x, filter.radius.x), length_of(filter.taps_y, filter.radius.y)};
}

/// The largest value that is summed, weighted by alpha if the filter does so.
double largest_value(const Form& form, const SeparableFilter& filter) {
    const double code = max_code(form.depth);
    return form.has_alpha() && filter.alpha == AlphaMode::premultiply ? code * code : code;
}

} // namespace

bool has_short_taps(const SeparableFilter& filter, const Form& form) {
    return form.depth == Depth::u8 && !(form.has_alpha() && filter.alpha == AlphaMode::premultiply);
}

std::array<Floats, 2> half_kernels(const SeparableFilter& filter, const Form& form) {
    const auto floats = [](const std::vector<double>& taps, int radius) {
        return taps.empty() ? Floats(static_cast<std::size_t>(radius) + 1, 1.0F)
                            : Floats(taps.begin(), taps.end());
    };
    std::array<Floats, 2> result{floats(filter.taps_x, filter.radius.x),
                                 floats(filter.taps_y, filter.radius.y)};
    if (has_short_taps(filter, form)) {
        std::transform(result[0].begin(), result[0].end(), result[0].begin(), with_16_bits);
    }
    return result;
}

SeparableFilter folded(const SeparableFilter& filter, const Form& form) {
    const Fold x = fold_of(filter.border.mode, form.width);
    const Fold y = fold_of(filter.border.mode, form.height);
    if (filter.radius.x <= x.reach && filter.radius.y <= y.reach) {
        return filter;
    }
    const auto all_taps = [](const std::vector<double>& taps, int radius) {
        return taps.empty() ? std::vector<double>(static_cast<std::size_t>(radius) + 1, 1.0) : taps;
    };
    SeparableFilter result = filter;
    result.counts = filter.is_box();
    result.taps_x = fold_taps(all_taps(filter.taps_x, filter.radius.x), x);
    result.taps_y = fold_taps(all_taps(filter.taps_y, filter.radius.y), y);
    result.radius = {static_cast<int>(result.taps_x.size()) - 1, static_cast<int>(result.taps_y.size()) - 1};
    return result;
}

float scale_of(const SeparableFilter& filter, const Form& form) {
    if (filter.is_box()) { // however it is folded
        const PerAxis<double> size = box_size(filter);
        return static_cast<float>(1 / (size.x * size.y));
    }
    // As `tiled` adds them up beside the values: along x, then along y.
    float sum = 1;
    for (const Floats& taps : half_kernels(filter, form)) {
        const int radius = static_cast<int>(taps.size()) - 1;
        const double row = sum;
        sum = 0;
        for (int d = -radius; d <= radius; ++d) {
            sum += static_cast<float>(row * taps[static_cast<std::size_t>(std::abs(d))]);
        }
    }
    return static_cast<float>(1 / double(sum));
}

double largest_box_sum(const Form& form, const SeparableFilter& filter) {
    const PerAxis<double> size = box_size(filter);
    return largest_value(form, filter) * size.x * size.y;
}

bool has_whole_sums(const Form& form, const SeparableFilter& filter) {
    const PerAxis<double> size = box_size(filter);
    return filter.is_box() && form.depth != Depth::f32 && std::max(size.x, size.y) <= 0x1p16 &&
           largest_value(form, filter) * std::max(size.x, size.y) < 0x1p32;
}

bool suits_floats(const Form& form, const SeparableFilter& filter) {
    return !has_whole_sums(form, filter) || largest_box_sum(form, filter) < 0x1p24;
}

} // namespace glproc
