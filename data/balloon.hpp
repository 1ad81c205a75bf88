// A hot-air balloon, which flies in both sample pictures.
#pragma once

#include "paint.hpp"

#include <numbers>

namespace sample {

/// A hot-air balloon around (0, 0) with radius 1; its basket hangs at y = 1.9. `soft` is half a pixel in this
/// scale.
inline Layer balloon(double x, double y, double soft) {
    Layer layer;
    const double waist =
        y > 0.35 ? std::sqrt(1 - 0.35 * 0.35) - (y - 0.35) * 0.74 : std::sqrt(std::max(0.0, 1 - y * y));
    const double inside = y < 1.38 && y > -1 - soft ? waist - std::abs(x) : -1.0;
    if (inside > -soft) {
        const double s = std::clamp(x / std::max(waist, 1e-3), -1.0, 1.0);
        const double around = std::asin(s);
        const double gore = around * 16 / std::numbers::pi + 8;
        const int stripe = static_cast<int>(std::floor(gore));
        const double seam = std::abs(gore - stripe - 0.5) * 2;
        const Colour red{0.86, 0.035, 0.025};
        const Colour yellow{1.00, 0.56, 0.02};
        const Colour blue{0.02, 0.12, 0.62};
        Colour c = stripe % 2 == 0 ? red : yellow;
        const double zigzag = 0.10 * std::abs(std::fmod(gore + 100, 2.0) - 1);
        c = mix(c, blue, box(y, 0.02 + zigzag, 0.24 + zigzag, soft));
        c = mix(c, {0.9, 0.88, 0.8}, box(y, 0.27 + zigzag, 0.31 + zigzag, soft));
        const double nz = std::sqrt(std::max(0.0, 1 - s * s));
        const double facing = clamp01(0.62 * s - 0.42 * std::min(y, 0.9) + 0.62 * nz);
        c = c * (0.13 + 1.15 * facing) * (0.80 + 0.20 * smooth(1.0, 0.75, seam));
        const double shine = gauss(std::hypot((s - 0.42) / 0.20, (y + 0.48) / 0.17));
        c = c + Colour{1.0, 0.86, 0.70} * (shine * 0.85) +
            Colour{0.5, 0.3, 0.1} * (smooth(0.6, 1.4, y) * 0.3);
        layer = {c, smooth(-soft, soft, inside)};
    }
    if (y > 1.3 && y < 2.05) {
        const double spread = 0.24 - (y - 1.38) * 0.16;
        const double rope = y > 1.36 && y < 1.75
                                ? std::max(smooth(soft, 0, std::abs(std::abs(x) - spread) - 0.008),
                                           smooth(soft, 0, std::abs(std::abs(x) - spread * 0.4) - 0.006))
                                : 0.0;
        const double basket = box(x, -0.19, 0.19, soft) * box(y, 1.73, 1.97, soft);
        const bool weave =
            (static_cast<int>(std::floor(x * 30 + 100)) + static_cast<int>(std::floor(y * 30))) % 2 == 0;
        const Colour wicker = Colour{0.34, 0.19, 0.08} * ((weave ? 0.7 : 1.1) + 0.5 * x) +
                              Colour{0.3, 0.2, 0.1} * box(y, 1.73, 1.77, soft);
        if (rope > layer.cover)
            layer = {{0.05, 0.04, 0.03}, rope};
        if (basket > 0)
            layer = {mix(layer.colour, wicker, basket / std::max(basket, layer.cover)),
                     std::max(basket, layer.cover)};
    }
    return layer;
}

} // namespace sample
