// Sums whose weights need not add up to 1: how they are made, and how they become the result.
//
// Needs lib/pixel.glsl, and all that lib/add_weighted.glsl needs.
#include "lib/add_weighted.glsl"

layout(rgba32ui) readonly uniform uimage2D i_own; // the image

uniform float u_scale;       // of the result, in code units
uniform float u_offset;      // likewise
uniform float u_alpha_scale; // ALPHA 1: 1 / the sum of the weights; ALPHA 2: the scale of the kept alpha
uniform int u_absolute;      // 1: the result without its sign
uniform int u_own_bits;      // ALPHA 2: bits of a channel of i_own

// The kept alpha of a quad whose first lane is the row's lane `first`.
float own_alpha(int first, int y, int lane) {
    int bit = (first + lane) * u_own_bits; // in the row
    uvec4 texel = imageLoad(i_own, ivec2(bit / 128, y));
    uint word = texel[bit % 128 / 32];
    return u_own_bits == 32 ? uintBitsToFloat(word) : float(bitfieldExtract(word, bit % 32, u_own_bits));
}

vec4 finished_sums(int first, int y, vec4 sums) {
    sums = unpremultiplied(sums);
    vec4 result;
    for (int lane = 0; lane < 4; ++lane) {
        bool is_alpha = ALPHA != 0 && lane % CHANNELS == CHANNELS - 1;
        precise float value = sums[lane] * u_scale + u_offset;
        value = u_absolute == 1 ? abs(value) : value;
#if ALPHA == 2
        float alpha = is_alpha ? own_alpha(first, y, lane) : 0.0;
#else
        float alpha = sums[lane];
#endif
        result[lane] = is_alpha ? product_of(alpha, u_alpha_scale) : value;
    }
    return result;
}

void finish_sums(int unit, int y, inout float sums[UNIT_LANES]) {
    for (int q = 0; q < UNIT_LANES / 4; ++q) {
        put_quad(sums, q, finished_sums(unit * UNIT_LANES + 4 * q, y, quad_of(sums, q)));
    }
}
