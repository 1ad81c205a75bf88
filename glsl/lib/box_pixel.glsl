// A pixel of 8 bits in the sums of a box whose colours are weighted by alpha, and back out of them.
//
// Needs lib/pixel.glsl, lib/lanes.glsl and u_scale: 1 / the pixels of the box.
#include "lib/reproducible.glsl"

// What a pixel adds to its sums.
uvec4 weighed(uint pixel) {
    uint alpha = pixel >> 24;
    return uvec4(uvec3(pixel & 255u, pixel >> 8 & 255u, pixel >> 16 & 255u) * alpha, alpha);
}

// Devices whose lanes add up by themselves round conversions to nearest, and fma() once: that is float_of() and
// reciprocal() at a fraction of their price.
#if SHUFFLE == 1
float float_of_sum(uint sum) {
    return float(sum);
}

float reciprocal_of_sum(float sum) {
    precise float guess = 1.0 / sum;
    precise float rest = fma(-sum, guess, 1.0);
    precise float result = fma(rest, guess, guess);
    return result;
}
#else
#define float_of_sum float_of
#define reciprocal_of_sum reciprocal
#endif

// Where nothing is opaque there is no colour either: 0.
uint pixel_of(uvec4 sums) {
    float alpha = float_of_sum(sums.a);
    float per_alpha = reciprocal_of_sum(alpha);
    precise vec4 means;
    means.r = float_of_sum(sums.r) * per_alpha;
    means.g = float_of_sum(sums.g) * per_alpha;
    means.b = float_of_sum(sums.b) * per_alpha;
    means.a = alpha * u_scale;
    return sums.a > 0u ? bytes_of(means) : 0u;
}
