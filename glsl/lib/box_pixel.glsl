// A pixel of 8 bits in the sums of a box whose colours are weighted by alpha, and back out of them.
//
// Needs lib/pixel.glsl, lib/lanes.glsl and u_scale: 1 / the pixels of the box.
#include "lib/reproducible.glsl"

// The values that a pixel adds to its sums.
uvec4 weighed(uint pixel) {
    uint alpha = pixel >> 24;
    return uvec4(uvec3(pixel & 255u, pixel >> 8 & 255u, pixel >> 16 & 255u) * alpha, alpha);
}

// Devices that add up lanes by themselves round conversions to nearest. That gives the same as float_of() at a fraction
// of its price.
#if SHUFFLE == 1
#define float_of_sum float
#else
#define float_of_sum float_of
#endif

// If nothing is opaque there is no colour either: 0.
uint pixel_of(uvec4 sums) {
    float alpha = float_of_sum(sums.a);
    float per_alpha = 1.0 / alpha;
    vec4 means;
    for (int c = 0; c < 3; ++c) {
        means[c] = nearest_quotient(float_of_sum(sums[c]), alpha, per_alpha);
    }
    means.a = product_of(alpha, u_scale);
    return sums.a > 0u ? bytes_of(means) : 0u;
}
