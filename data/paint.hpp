// What the sample pictures are painted with: colours in linear light, layers, noise from integer hashes,
// development.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace sample {

struct Colour {
    double r = 0;
    double g = 0;
    double b = 0;
};
inline Colour operator*(Colour c, double k) {
    return {c.r * k, c.g * k, c.b * k};
}
inline Colour operator*(Colour a, Colour b) {
    return {a.r * b.r, a.g * b.g, a.b * b.b};
}
inline Colour operator+(Colour a, Colour b) {
    return {a.r + b.r, a.g + b.g, a.b + b.b};
}
inline Colour mix(Colour a, Colour b, double t) {
    return a * (1 - t) + b * t;
}

/// A colour with the share of the pixel that it covers.
struct Layer {
    Colour colour;
    double cover = 0;
};
inline Colour over(const Layer& top, Colour below) {
    return mix(below, top.colour, top.cover);
}

inline double clamp01(double x) {
    return std::clamp(x, 0.0, 1.0);
}
inline double smooth(double from, double to, double x) {
    const double t = clamp01((x - from) / (to - from));
    return t * t * (3 - 2 * t);
}
inline double gauss(double x) {
    return std::exp(-x * x);
}

/// 0 … 1 for each lattice point.
inline double hash(int x, int y, int seed) {
    auto n = static_cast<std::uint32_t>(x) * 0x9E3779B1U ^ static_cast<std::uint32_t>(y) * 0x85EBCA77U ^
             static_cast<std::uint32_t>(seed) * 0xC2B2AE3DU;
    n = (n ^ n >> 15U) * 0x2C1B3C6DU;
    n = (n ^ n >> 12U) * 0x297A2D39U;
    return (n ^ n >> 15U) / 4294967296.0;
}

/// Smooth noise, 0 … 1, with one feature per unit.
inline double noise(double x, double y, int seed) {
    const double fx = std::floor(x);
    const double fy = std::floor(y);
    const int ix = static_cast<int>(fx);
    const int iy = static_cast<int>(fy);
    const auto ease = [](double t) { return t * t * t * (t * (t * 6 - 15) + 10); };
    const double tx = ease(x - fx);
    const double ty = ease(y - fy);
    const double top = std::lerp(hash(ix, iy, seed), hash(ix + 1, iy, seed), tx);
    const double bottom = std::lerp(hash(ix, iy + 1, seed), hash(ix + 1, iy + 1, seed), tx);
    return std::lerp(top, bottom, ty);
}

/// Fractal noise, 0 … 1: each octave is twice as fine and half as strong.
inline double fbm(double x, double y, int octaves, int seed) {
    double sum = 0;
    double weight = 0.5;
    for (int i = 0; i < octaves; ++i, weight /= 2) {
        sum += weight * noise(x, y, seed + i);
        const double turned = 1.6 * x + 1.2 * y; // turning hides the lattice
        y = 1.6 * y - 1.2 * x + 7.3;
        x = turned + 3.1;
    }
    return sum / (1 - weight * 2);
}

/// Fractal noise with sharp crests, 0 … 1.
inline double ridges(double x, double y, int octaves, int seed) {
    double sum = 0;
    double weight = 0.5;
    for (int i = 0; i < octaves; ++i, weight /= 2) {
        const double crest = 1 - std::abs(2 * noise(x, y, seed + i) - 1);
        sum += weight * crest * crest;
        const double turned = 1.6 * x + 1.2 * y;
        y = 1.6 * y - 1.2 * x + 5.7;
        x = turned + 1.9;
    }
    return sum / (1 - weight * 2);
}

inline double box(double x, double from, double to, double soft) {
    return smooth(from - soft, from + soft, x) * smooth(to + soft, to - soft, x);
}

/// A filmic curve, then the sRGB curve: 0 … 255.
inline double develop(double linear) {
    const double x = std::max(0.0, linear * 1.15);
    const double film = clamp01(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14));
    return 255 * (film <= 0.0031308 ? 12.92 * film : 1.055 * std::pow(film, 1 / 2.4) - 0.055);
}

inline std::uint8_t code(double value) {
    return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, 255.0)));
}

/// The mean of 3×3 points in the pixel.
template <class At>
auto supersample(int x, int y, At at) {
    auto sum = at(x + 1 / 6.0, y + 1 / 6.0);
    for (int i = 1; i < 9; ++i)
        sum = sum + at(x + (2 * (i % 3) + 1) / 6.0, y + (2 * (i / 3) + 1) / 6.0);
    return sum * (1 / 9.0);
}

} // namespace sample
