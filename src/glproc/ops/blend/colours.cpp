#include "glproc/ops/blend/colours.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace glproc {

namespace {

using Rgb = std::array<double, 3>;

double hard_light(double from, double to) {
    return to <= 0.5 ? from * 2 * to : from + (2 * to - 1) - from * (2 * to - 1);
}

double soft_light(double from, double to) {
    if (to <= 0.5) {
        return from - (1 - 2 * to) * from * (1 - from);
    }
    const double bent = from <= 0.25 ? ((16 * from - 12) * from + 4) * from : std::sqrt(from);
    return from + (2 * to - 1) * (bent - from);
}

/// A bitwise operation on codes. Images of floats have none.
template <class Bits>
double on_codes(double from, double to, double full, const Bits& bits) {
    const auto code = [full](double value) { return static_cast<std::uint32_t>(std::lround(value * full)); };
    return bits(code(from), code(to)) / full;
}

/// The modes that treat each channel alone.
double channel_of(const BlendHow& how, double from, double to, double full) {
    switch (how.mode) {
    case BlendMode::multiply:
        return from * to;
    case BlendMode::screen:
        return from + to - from * to;
    case BlendMode::overlay:
        return hard_light(to, from);
    case BlendMode::darken:
    case BlendMode::min:
        return to < from ? to : from;
    case BlendMode::lighten:
    case BlendMode::max:
        return to > from ? to : from;
    case BlendMode::color_dodge:
        return from <= 0 ? 0 : from >= 1 - to ? 1 : from / (1 - to);
    case BlendMode::color_burn:
        return from >= 1 ? 1 : 1 - from >= to ? 0 : (to + from - 1) / to;
    case BlendMode::hard_light:
        return hard_light(from, to);
    case BlendMode::soft_light:
        return soft_light(from, to);
    case BlendMode::difference:
        return std::abs(from - to);
    case BlendMode::exclusion:
        return from + to - 2 * from * to;
    case BlendMode::subtract:
        return from - to;
    case BlendMode::divide:
        return to == 0 ? 0 : from / to;
    case BlendMode::mix:
        return (from + to) / 2;
    case BlendMode::sum:
        return how.weights[0] * from + how.weights[1] * to + how.weights[2];
    case BlendMode::bit_and:
        return on_codes(from, to, full, [](std::uint32_t a, std::uint32_t b) { return a & b; });
    case BlendMode::bit_or:
        return on_codes(from, to, full, [](std::uint32_t a, std::uint32_t b) { return a | b; });
    case BlendMode::bit_exclusive_or:
        return on_codes(from, to, full, [](std::uint32_t a, std::uint32_t b) { return a ^ b; });
    default:
        return to;
    }
}

double luma_of(const Rgb& c) {
    return 0.3 * c[0] + 0.59 * c[1] + 0.11 * c[2];
}

double range_of(const Rgb& c) {
    return *std::max_element(c.begin(), c.end()) - *std::min_element(c.begin(), c.end());
}

Rgb with_range(Rgb c, double range) {
    const double least = *std::min_element(c.begin(), c.end());
    const double own = range_of(c);
    for (double& value : c) {
        value = own > 0 ? (value - least) * range / own : 0;
    }
    return c;
}

Rgb with_luma(Rgb c, double luma) {
    const double more = luma - luma_of(c);
    for (double& value : c) {
        value += more;
    }
    const double least = *std::min_element(c.begin(), c.end());
    const double most = *std::max_element(c.begin(), c.end());
    constexpr double hair = 1e-12; // rounding may lead that far beyond black and white
    for (double& value : c) {
        value = least < -hair     ? luma + (value - luma) * luma / (luma - least)
                : most > 1 + hair ? luma + (value - luma) * (1 - luma) / (most - luma)
                                  : value;
    }
    return c;
}

/// The modes that need all three colours, and the others.
Rgb mixed(const BlendHow& how, const Rgb& from, const Rgb& to, double full) {
    switch (how.mode) {
    case BlendMode::hue:
        return with_luma(with_range(to, range_of(from)), luma_of(from));
    case BlendMode::saturation:
        return with_luma(with_range(from, range_of(to)), luma_of(from));
    case BlendMode::color:
        return with_luma(to, luma_of(from));
    case BlendMode::luminosity:
        return with_luma(from, luma_of(to));
    default:
        return {channel_of(how, from[0], to[0], full), channel_of(how, from[1], to[1], full),
                channel_of(how, from[2], to[2], full)};
    }
}

bool is_operator(BlendMode mode) {
    return mode <= BlendMode::plus;
}

/// The weights of both images by an operator of Porter and Duff, of the second one first.
std::array<double, 2> weights_of(BlendMode mode, double under, double top) {
    switch (mode) {
    case BlendMode::in:
        return {top * under, 0};
    case BlendMode::out:
        return {top * (1 - under), 0};
    case BlendMode::atop:
        return {top * under, (1 - top) * under};
    case BlendMode::exclude:
        return {top * (1 - under), (1 - top) * under};
    case BlendMode::plus:
        return {top, under};
    default:
        return {top, (1 - top) * under};
    }
}

} // namespace

bool composes(BlendMode mode) {
    return mode <= BlendMode::luminosity;
}

bool makes_transparent(BlendMode mode) {
    return mode == BlendMode::in || mode == BlendMode::out || mode == BlendMode::exclude;
}

Colour4 blend_of(const BlendHow& how, const Colour4& own, const Colour4& other, double opacity, double full) {
    const double top = other[3] * opacity;
    const double under = composes(how.mode) ? own[3] : 1;
    const Rgb inner = mixed(how, {own[0], own[1], own[2]}, {other[0], other[1], other[2]}, full);
    const auto weights = weights_of(is_operator(how.mode) ? how.mode : BlendMode::over, under, top);
    const double sum = weights[0] + weights[1];
    const double alpha = how.mode == BlendMode::plus ? std::min(sum, 1.0) : sum;
    Colour4 result{0, 0, 0, composes(how.mode) ? alpha : own[3]};
    for (std::size_t c = 0; c < 3; ++c) {
        const double to = is_operator(how.mode) ? other[c] : (1 - under) * other[c] + under * inner[c];
        result[c] = alpha > 0 ? (weights[0] * to + weights[1] * own[c]) / alpha : 0;
    }
    return result;
}

} // namespace glproc
