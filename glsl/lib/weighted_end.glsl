// How sums whose weights need not add up to 1 become values of the result.
//
// Needs all that lib/ending.glsl needs.
#ifndef ROUNDS_LATER
#define ROUNDS_LATER 1 // a colour divided by alpha is not stored as it is
#endif
#include "lib/ending.glsl"

// `alphas`: the picture's own alpha in lanes where that is kept. `alpha_scale` is for alpha: 1 / the sum of the weights, or the
// scale of the kept one.
vec4 weighted_end(vec4 sums, vec4 alphas, float scale, float offset, float alpha_scale, bool absolute) {
    sums = unpremultiplied(sums);
    vec4 result;
    for (int lane = 0; lane < 4; ++lane) {
        bool is_alpha = ALPHA != 0 && lane % CHANNELS == CHANNELS - 1;
        precise float value = sums[lane] * scale + offset;
        value = absolute ? abs(value) : value;
        float alpha = ALPHA == 2 ? alphas[lane] : sums[lane];
        result[lane] = is_alpha ? product_of(alpha, alpha_scale) : value;
    }
    return result;
}
