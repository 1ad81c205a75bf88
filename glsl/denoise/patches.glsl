// Non-local means: how much patches count by the sum of their squared differences, and what becomes of the sums over them.
//
// Needs CHANNELS and SRC_DEPTH as lib/texel.glsl has them.
#include "denoise/weights.glsl"

#define COLOURS (CHANNELS == 4 ? 3 : 1)
#if SRC_DEPTH == 8 || CHANNELS < 4
#define PLANES 1 // words of a pixel; codes of 8 bits share one
#else
#define PLANES 3
#endif

uniform float u_free; // sums of squares up to this weigh 1
uniform float u_per_sum; // how fast weights fall beyond it, in powers of 2

// A pixel of one plane, as differences take it, out of the texel that holds it.
uint held_bits(uvec4 texel, int lane, int plane) {
#if SRC_DEPTH == 8
    return CHANNELS == 4 ? texel[lane >> 2] : lane_bits(texel, lane);
#else
    uint bits = lane_bits(texel, lane + plane);
    return SRC_DEPTH == 16 ? floatBitsToUint(float(bits)) : bits;
#endif
}

int mirrored(int i, int n) {
    int period = max(2 * (n - 1), 1);
    int j = abs(i) % period;
    return min(j, period - j);
}

// A colour for differences. Codes of 8 bits become the last bits of a float above 2^23 or 2^15, without a conversion.
float colour_of(uint word, int c) {
#if SRC_DEPTH == 8
    return uintBitsToFloat(c == 1 ? (word & 0xff00u) | 0x47000000u : bitfieldExtract(word, c * 8, 8) | 0x4b000000u);
#else
    return float_of_bits(word);
#endif
}

float difference_of(uint a, uint b, int c) {
    precise float difference = colour_of(a, c) - colour_of(b, c);
    return difference;
}

// Adds the square of the difference between two colours.
float add_square(float sum, uint a, uint b, int c) {
    float difference = difference_of(a, b, c);
#if SRC_DEPTH == 8
    return add_whole_product(sum, difference, difference);
#else
    return add_product(sum, difference, difference);
#endif
}

float weight_of(float sum) {
    return patch_weight(sum, u_free, u_per_sum);
}

// Differences that have no weight may be infinite or NaN.
float add_weighted(float sum, float weight, float difference) {
    return SRC_DEPTH == 8 || weight > 0.0 ? add_product(sum, weight, difference) : sum;
}

vec4 add_colour(vec4 moves, vec4 weights, uvec4 others, uvec4 own, int c) {
    return vec4(add_weighted(moves.x, weights.x, difference_of(others.x, own.x, c)),
                add_weighted(moves.y, weights.y, difference_of(others.y, own.y, c)),
                add_weighted(moves.z, weights.z, difference_of(others.z, own.z, c)),
                add_weighted(moves.w, weights.w, difference_of(others.w, own.w, c)));
}

// Adds the mean of the differences from the own pixel.
uint result_of(uint own, float move, float weights) {
    if (weights > 0.0) {
        return code_of(moved_value(SRC_DEPTH == 32 ? float_of_bits(own) : float(own), move, weights));
    }
    return own;
}
