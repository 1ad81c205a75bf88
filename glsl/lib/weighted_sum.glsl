// Sums whose weights need not add up to 1: how they are made, and how they become the result.
//
// Needs lib/pixel.glsl, and all that lib/add_weighted.glsl needs.
#include "lib/add_weighted.glsl"
#include "lib/weighted_end.glsl"

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
    vec4 alphas = vec4(0.0);
#if ALPHA == 2
    for (int lane = CHANNELS - 1; lane < 4; lane += CHANNELS) {
        alphas[lane] = own_alpha(first, y, lane);
    }
#endif
    return weighted_end(sums, alphas, u_scale, u_offset, u_alpha_scale, u_absolute == 1);
}

void finish_sums(int unit, int y, inout float sums[UNIT_LANES]) {
    for (int q = 0; q < UNIT_LANES / 4; ++q) {
        put_quad(sums, q, finished_sums(unit * UNIT_LANES + 4 * q, y, quad_of(sums, q)));
    }
}
