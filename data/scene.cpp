#include "scene.hpp"

#include "balloon.hpp"

namespace sample {
namespace {

constexpr double sun_u = 1.165;
constexpr double sun_v = 0.285;
constexpr double shore = 0.615;  ///< where the lake begins
constexpr double meadow = 0.835; ///< where it ends
constexpr double pixel = 1.0 / 853;

Colour sky(double u, double v) {
    const Colour zenith{0.030, 0.085, 0.260};
    const Colour middle{0.180, 0.330, 0.520};
    const Colour low{1.000, 0.560, 0.250};
    Colour c = mix(zenith, middle, smooth(-0.05, 0.38, v));
    c = mix(c, low, smooth(0.16, 0.58, v) * 0.85);
    const double distance = std::hypot(u - sun_u, v - sun_v);
    c = c + Colour{1.5, 0.75, 0.28} * gauss(distance / 0.15) +
        Colour{0.45, 0.20, 0.08} * gauss(distance / 0.45);
    c = c + Colour{14, 11, 7} * smooth(0.026, 0.020, distance) +
        Colour{2.2, 1.5, 0.7} * gauss(distance / 0.045);

    // Clouds lie in bands; what faces the sun is gold, the bodies are violet.
    const double warp = fbm(u * 2.2, v * 5, 3, 40);
    const double density = fbm(u * 2.6 + warp * 0.9, v * 9 + warp * 1.4 - 2, 6, 50);
    const double towards = fbm((u + 0.03) * 2.6 + warp * 0.9, (v + 0.022) * 9 + warp * 1.4 - 2, 6, 50);
    const double cover = smooth(0.50, 0.70, density) * smooth(0.60, 0.30, v) * 0.92;
    const double lit = clamp01((density - towards) * 6 + 0.35);
    const Colour body = mix({0.16, 0.17, 0.30}, {0.55, 0.26, 0.24}, smooth(0.05, 0.45, v));
    const Colour edge = mix({1.0, 0.62, 0.48}, {2.2, 1.15, 0.45}, gauss(distance / 0.35));
    return mix(c, mix(body, edge, lit), cover);
}

/// One range of mountains: its outline, the relief of its slopes, and haze.
struct Range {
    double base;   ///< v of its lowest outline
    double height; ///< of its peaks
    double scale;  ///< peaks per unit of u
    int seed;
    Colour rock;
    Colour haze;
    double haziness;
    double snow; ///< v above which snow lies
};

Layer mountains(const Range& range, double u, double v) {
    const double outline = range.base -
                           range.height * std::pow(fbm(u * range.scale, 0.5, 3, range.seed), 1.5) * 1.9 -
                           range.height * 0.22 * ridges(u * range.scale * 3, 1.5, 6, range.seed + 20);
    const double below = v - outline;
    if (below < -2 * pixel)
        return {};
    const double x = u * range.scale * 3.4 + below * 2.5;
    const double y = below * range.scale * 3.6;
    const double relief = ridges(x, y, 7, range.seed + 40);
    const double towards = ridges(x + 0.06, y - 0.03, 7, range.seed + 40);
    const double light = clamp01(0.44 + (relief - towards) * 6.0);
    const double grain = fbm(x * 9, y * 9, 4, range.seed + 60);
    Colour c = range.rock * (0.45 + 0.8 * grain);
    const double snow = smooth(0.03, -0.03, v - range.snow + (relief - 0.5) * 0.22 + (grain - 0.5) * 0.06);
    c = mix(c, {0.80, 0.84, 0.95}, snow);
    const Colour shade{0.30, 0.36, 0.58};
    const Colour sunlight{1.75, 1.05, 0.62};
    c = c * mix(shade, sunlight, light);
    const double near_sun = gauss((u - sun_u) / 0.34);
    const Colour haze = mix(range.haze, {1.10, 0.58, 0.30}, near_sun * 0.6);
    c = mix(c, haze, clamp01(range.haziness + below * 1.1 * range.haziness));
    return {c, smooth(-pixel, pixel, below)};
}

/// Conifers side by side along v = foot: how deep the point lies inside one of them, in units of v.
double conifers(double u, double v, double foot, double height, double spacing, int seed) {
    double best = -1;
    const int here = static_cast<int>(std::floor(u / spacing));
    for (int i = here - 2; i <= here + 2; ++i) {
        const double size = height * (0.45 + 0.75 * hash(i, 1, seed));
        const double centre = (i + 0.15 + 0.7 * hash(i, 2, seed)) * spacing;
        const double t = (v - (foot - size)) / size; // 0 at the top, 1 at the foot
        if (t < 0 || t > 1.1)
            continue;
        const double boughs = t * (9 + 6 * hash(i, 3, seed));
        const double saw = boughs - std::floor(boughs);
        const double rough = noise(u * 420 / height * 0.12, v * 420 / height * 0.12, seed + i);
        const double width = size * 0.19 * (t * 0.92 + 0.03) * (0.52 + 0.62 * saw) * (0.72 + 0.5 * rough);
        best = std::max(best, width - std::abs(u - centre));
    }
    return best;
}

Layer forest(double u, double v) {
    const double foot = shore + 0.004 * fbm(u * 9, 2, 3, 300);
    const double hill = 0.018 * fbm(u * 3, 7, 3, 301);
    const double inside = std::max(conifers(u, v, foot, 0.060 + hill, 0.011, 310),
                                   conifers(u, v, foot, 0.043 + hill, 0.008, 320));
    const double cover =
        std::max(smooth(-pixel, pixel, inside), smooth(0.016 - pixel, 0.016 + pixel, v - foot + 0.03));
    const double light = fbm(u * 160, v * 160, 4, 330);
    const Colour c = mix({0.012, 0.026, 0.024}, {0.085, 0.085, 0.040}, light * light * 1.3);
    const double glow = gauss((u - sun_u) / 0.25) * 0.35;
    return {mix(c, {0.75, 0.36, 0.15}, glow), v > foot + 0.001 ? 0 : cover};
}

/// A cabin on the left shore, with lit windows.
Layer cabin(double u, double v) {
    const double x = (u - 0.335) / 0.105; // 0 … 1 along its front
    const double y = (v - 0.530) / 0.088; // 0 … 1 from the ridge to the ground
    if (x < -0.25 || x > 1.25 || y < -0.4 || y > 1.1)
        return {};
    const double soft = pixel / 0.09;
    const double wall = box(x, 0.06, 0.94, soft) * box(y, 0.40, 1.05, soft);
    const double plank = y * 14 - std::floor(y * 14);
    const double wood = fbm(x * 6, y * 60, 4, 400);
    Colour c = mix({0.10, 0.050, 0.025}, {0.34, 0.17, 0.075}, wood) *
               (0.45 + 0.55 * smooth(0.0, 0.18, plank)) * (0.7 + 0.5 * x);
    double cover = wall;
    const double slope = std::abs(x - 0.5) - 0.62 * (y / 0.46); // the gable roof
    const double roof = smooth(soft, -soft, slope) * box(y, 0.0, 0.46, soft);
    const double shingle =
        hash(static_cast<int>(std::floor(x * 34)), static_cast<int>(std::floor(y * 40)), 410);
    c = mix(c, mix({0.10, 0.030, 0.026}, {0.26, 0.075, 0.05}, shingle) * (0.55 + 0.75 * smooth(0.4, 0.65, x)),
            roof);
    cover = std::max(cover, roof);
    const double chimney = box(x, 0.70, 0.79, soft) * box(y, -0.13, 0.26, soft);
    c = mix(c,
            Colour{0.17, 0.12, 0.11} *
                (0.6 + 0.6 * hash(static_cast<int>(x * 70), static_cast<int>(y * 40), 420)),
            chimney);
    cover = std::max(cover, chimney);
    for (const double left : {0.16, 0.60}) {
        const double frame = box(x, left - 0.02, left + 0.24, soft) * box(y, 0.53, 0.83, soft);
        const double pane = box(x, left + 0.01, left + 0.10, soft) + box(x, left + 0.12, left + 0.21, soft);
        const double glass = pane * (box(y, 0.56, 0.67, soft) + box(y, 0.69, 0.80, soft));
        c = mix(c, {0.05, 0.03, 0.02}, frame);
        c = mix(c, Colour{3.4, 1.9, 0.62} * (0.75 + 0.5 * noise(x * 9, y * 7, 430)), glass);
    }
    const double door = box(x, 0.425, 0.555, soft) * box(y, 0.58, 1.05, soft);
    c = mix(c, {0.22, 0.035, 0.02}, door);
    return {c, cover};
}

Layer smoke(double u, double v) {
    const double up = 0.518 - v;
    if (up < 0 || up > 0.22)
        return {};
    const double drift = 0.414 - up * 0.30 + 0.03 * (fbm(up * 14, 3, 3, 440) - 0.5);
    const double width = 0.004 + up * 0.10;
    const double wisps = fbm(u * 40 + 9 * up, v * 26, 5, 445);
    return {{0.62, 0.56, 0.60},
            gauss((u - drift) / width) * smooth(0.22, 0.03, up) * smooth(0.25, 0.75, wisps) * 0.55};
}

/// Where a balloon is, and how large.
struct Place {
    double u;
    double v;
    double radius;
};

/// Everything behind the lake that is mirrored in it.
Colour backdrop(double u, double v) {
    const Range far{.base = 0.53,
                    .height = 0.30,
                    .scale = 2.1,
                    .seed = 100,
                    .rock = {0.20, 0.20, 0.26},
                    .haze = {0.42, 0.42, 0.58},
                    .haziness = 0.27,
                    .snow = 0.42};
    const Range middle{.base = 0.60,
                       .height = 0.21,
                       .scale = 2.9,
                       .seed = 137,
                       .rock = {0.13, 0.13, 0.13},
                       .haze = {0.26, 0.30, 0.44},
                       .haziness = 0.20,
                       .snow = 0.36};
    const Range near{.base = 0.635,
                     .height = 0.10,
                     .scale = 4.0,
                     .seed = 171,
                     .rock = {0.050, 0.070, 0.045},
                     .haze = {0.16, 0.18, 0.24},
                     .haziness = 0.16,
                     .snow = 0.10};
    Colour c = sky(u, v);
    for (const Range& range : {far, middle, near})
        c = over(mountains(range, u, v), c);
    for (const Place& at : {Place{0.66, 0.20, 0.072}, Place{1.27, 0.135, 0.026}, Place{0.21, 0.325, 0.017}})
        c = over(balloon((u - at.u) / at.radius, (v - at.v) / at.radius, 0.5 * pixel / at.radius), c);
    c = over(forest(u, v), c);
    c = over(cabin(u, v), c);
    return over(smoke(u, v), c);
}

/// The lake mirrors the backdrop, squeezed and rippled; the sun breaks into glints.
Colour lake(double u, double v) {
    const double depth = (v - shore) / (meadow - shore); // 0 at the far shore
    const double fine = 1 / (0.06 + depth);
    const double swell = fbm(u * 5 * fine, v * 150 * fine * 0.30, 4, 500) - 0.5;
    const double ripple = fbm(u * 34 * fine * 0.5, v * 420 * fine * 0.22, 4, 520) - 0.5;
    const double bend = (0.030 * swell + 0.022 * ripple) * (0.25 + 1.3 * depth);
    const double mirrored = shore - (v - shore) * 1.55 - std::abs(bend) - bend * 0.6;
    const Colour reflection = backdrop(u + 0.25 * bend, std::max(mirrored, 0.0));
    Colour c = mix(reflection * Colour{0.74, 0.78, 0.82}, {0.012, 0.040, 0.055}, 0.16 + 0.22 * depth);
    const double path = gauss((u - sun_u - 0.05 * swell) / (0.030 + 0.085 * depth));
    const double glint = smooth(0.60, 0.80, fbm(u * 60 * fine * 0.4, v * 700 * fine * 0.16, 3, 540));
    c = c + Colour{7.0, 4.2, 1.9} * (glint * path) + Colour{0.55, 0.28, 0.10} * path * 0.5;
    return c + Colour{0.10, 0.09, 0.085} * (smooth(0.007, 0.0, v - shore) *
                                            noise(u * 40, 3, 560)); // the bright line of the far shore
}

/// Flowers of one size on a jittered grid; `row` grows towards the viewer.
void add_flowers(Colour& c, double u, double v, double cell, int seed) {
    const int cx = static_cast<int>(std::floor(u / cell));
    const int cy = static_cast<int>(std::floor(v / cell));
    for (int j = cy - 1; j <= cy + 1; ++j) {
        for (int i = cx - 1; i <= cx + 1; ++i) {
            if (hash(i, j, seed) > 0.34 + 0.3 * (noise(i * 0.25, j * 0.25, seed + 5) - 0.5))
                continue;
            const double dx = u - (i + 0.2 + 0.6 * hash(i, j, seed + 1)) * cell;
            const double dy = (v - (j + 0.2 + 0.6 * hash(i, j, seed + 2)) * cell) * 1.35;
            const double radius = cell * (0.13 + 0.12 * hash(i, j, seed + 3));
            const double angle = std::atan2(dy, dx);
            const double petal = radius * (0.80 + 0.20 * std::cos(angle * 5 + 6 * hash(i, j, seed + 4)));
            const double distance = std::hypot(dx, dy);
            const double cover = smooth(pixel * 0.8, -pixel * 0.8, distance - petal);
            const double kind = hash(i, j, seed + 6);
            Colour bloom = kind < 0.55  ? Colour{0.80, 0.022, 0.020}
                           : kind < 0.8 ? Colour{0.95, 0.60, 0.03}
                                        : Colour{0.30, 0.12, 0.75};
            bloom = bloom * (0.55 + 0.75 * clamp01(0.5 + (dx - dy) / radius * 0.5));
            c = mix(c, bloom, cover);
            c = mix(c, {0.03, 0.012, 0.01}, smooth(pixel, -pixel, distance - radius * 0.28));
            const double sparkle = gauss(std::hypot(dx - radius * 0.35, dy + radius * 0.4) / (radius * 0.13));
            c = c + Colour{1.5, 1.3, 1.0} * (sparkle * cover);
        }
    }
}

/// The near bank: tufts of grass with flowers, lit from the right.
Layer bank(double u, double v) {
    const double edge = meadow + 0.030 * (fbm(u * 3, 11, 3, 600) - 0.5) - 0.035 * smooth(0.75, 0.0, u);
    const double blade_tip = 0.020 * std::pow(noise(u * 260, 3, 610), 2.0) + 0.014 * noise(u * 90, 5, 611);
    const double below = v - edge + blade_tip;
    if (below < -2 * pixel)
        return {};
    const double near = clamp01((v - edge) / (1 - edge));
    const double lean = 0.018 * (fbm(u * 5, v * 7, 2, 615) - 0.5);
    const double blades = fbm((u + lean) * 190, v * 24, 4, 620);
    const double tufts = fbm(u * 11, v * 24, 4, 630);
    const double bright = clamp01((blades - 0.30) * 1.9) * (0.15 + 1.25 * tufts);
    Colour c = mix({0.007, 0.016, 0.008},
                   mix({0.15, 0.23, 0.045}, {0.30, 0.27, 0.070}, fbm(u * 6, v * 14, 3, 635)), bright);
    c = c *
        mix({0.75, 0.85, 1.0}, {1.75, 1.30, 0.75}, clamp01(gauss((u - sun_u) / 0.45) * (1.1 - near * 0.6)));
    c = c + Colour{0.9, 0.7, 0.3} * (smooth(0.75, 0.95, blades) * 0.16);
    if (near > 0.10)
        add_flowers(c, u, v, 0.024, 640);
    if (near > 0.34)
        add_flowers(c, u, v, 0.043, 660);
    c = c * (0.60 + 0.40 * smooth(0.0, 0.10, near));
    return {c, smooth(-pixel, pixel, below)};
}

/// A dark fir, lit from the left; its foot is at v = foot.
Layer fir(double u, double v, double centre, double top, double foot) {
    const double size = foot - top;
    const double t = (v - top) / size;
    if (t < 0 || t > 1)
        return {};
    const double droop = std::abs(u - centre) / size; // boughs hang
    const double boughs = (t - droop * 0.35) * 21 + 1.2 * noise(u * 14, t * 14, 700) + 3;
    const double saw = boughs - std::floor(boughs);
    const double needles = fbm(u * 330, v * 210, 4, 710);
    const double clump = fbm(u * 46, v * 46, 3, 720);
    const double width =
        size * 0.17 * (0.03 + t) * (0.42 + 0.62 * saw) * (0.50 + 0.55 * clump + 0.55 * (needles - 0.2));
    const double inside = width - std::abs(u - centre);
    const double lit =
        smooth(size * 0.07, 0.0, inside) * (u < centre ? 1.0 : 0.2) * smooth(0.42, 0.72, needles);
    Colour c =
        mix({0.003, 0.008, 0.008}, {0.040, 0.058, 0.026}, smooth(0.35, 0.8, needles) * (0.3 + 0.7 * saw));
    c = c + Colour{0.30, 0.17, 0.055} * lit;
    return {c, smooth(-pixel, pixel, inside)};
}

} // namespace

Colour scene(double u, double v) {
    Colour c = v < shore ? backdrop(u, v) : lake(u, v);
    c = over(fir(u, v, 1.318, 0.43, 0.93), c);
    c = over(bank(u, v), c);
    c = over(fir(u, v, 1.430, 0.10, 1.12), c);
    const double glare = std::hypot((u - sun_u) * 0.9, v - sun_v); // light scattered in the lens
    return c + Colour{0.22, 0.12, 0.05} * gauss(glare / 0.22);
}

} // namespace sample
