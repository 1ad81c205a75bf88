// Pixels of i_src as floats in code units (0-255, 0-65535, or the float itself), and back into i_dst.
//
// The work of one invocation is a unit: the fewest pixels that fill whole texels on both sides.
//
// Needs what lib/texel.glsl needs, DST_DEPTH (8, 16 or 32) and ALPHA:
//   0  channels are independent
//   1  colour is weighted by alpha (the last channel): premultiply() after loading, unpremultiply() before storing
//   2  the last channel is kept as it is
#include "lib/texel.glsl"
#include "lib/put_lane.glsl"
#include "lib/reproducible.glsl"

#define DST_LANES (128 / DST_DEPTH)
#define UNIT_LANES (SRC_DEPTH < DST_DEPTH ? SRC_LANES : DST_LANES)
#define UNIT_PIXELS (UNIT_LANES / CHANNELS)
#define SRC_TEXELS (UNIT_LANES / SRC_LANES)
#define DST_TEXELS (UNIT_LANES / DST_LANES)

layout(rgba32ui) writeonly uniform uimage2D i_dst;

float lane_value(uvec4 texel, int lane) {
#if SRC_DEPTH == 32
    return uintBitsToFloat(texel[lane]);
#else
    return float(lane_bits(texel, lane));
#endif
}

// Rounds once, to nearest even.
uint code_of(float value) {
#if DST_DEPTH == 8 || DST_DEPTH == 16
    // From 2^23 on a float has no bits for fractions left: the addition rounds, and its last bits are the code.
    return floatBitsToUint(clamp(value, 0.0, float((1 << DST_DEPTH) - 1)) + 8388608.0) & ((1u << DST_DEPTH) - 1u);
#else
    uint bits = floatBitsToUint(value);
    return (bits & 0x7fffffffu) > 0x7f800000u ? 0x7fc00000u : bits; // drivers have NaNs of their own
#endif
}

#if DST_DEPTH == 8
// Means of 0 to 255 as the bytes of a word, rounded like code_of().
uint bytes_of(vec4 means) {
    uvec4 code = floatBitsToUint(means + 8388608.0);
    return (code.x & 255u) + (code.y << 8) + (code.z << 16) + (code.w << 24); // the rest of these is shifted out
}
#endif

// Lanes first … first + DST_LANES - 1 as one texel.
uvec4 pack_texel(float values[UNIT_LANES], int first) {
    uvec4 texel = uvec4(0u);
    for (int lane = 0; lane < DST_LANES; ++lane) {
        put_lane(texel, lane, code_of(values[first + lane]));
    }
    return texel;
}

// Texels beyond the image are dropped by the image unit.
void store_unit(int unit, int y, float values[UNIT_LANES]) {
    for (int t = 0; t < DST_TEXELS; ++t) {
        imageStore(i_dst, ivec2(unit * DST_TEXELS + t, y), pack_texel(values, t * DST_LANES));
    }
}

void premultiply(inout float values[UNIT_LANES]) {
#if ALPHA == 1
    for (int p = 0; p < UNIT_PIXELS; ++p) {
        for (int c = 0; c < CHANNELS - 1; ++c) {
            values[p * CHANNELS + c] *= values[p * CHANNELS + CHANNELS - 1];
        }
    }
#endif
}

// Where nothing is opaque there is no colour either: 0.
void unpremultiply(inout float values[UNIT_LANES]) {
#if ALPHA == 1
    for (int p = 0; p < UNIT_PIXELS; ++p) {
        float alpha = values[p * CHANNELS + CHANNELS - 1];
        float per_alpha = reciprocal(alpha);
        for (int c = 0; c < CHANNELS - 1; ++c) {
            int lane = p * CHANNELS + c;
            values[lane] = alpha != 0.0 ? product_of(values[lane], per_alpha) : 0.0;
        }
    }
#endif
}

// Sums into means: `scale` is 1 / the sum of the weights. Colour that was weighted by alpha needs none, a kept channel
// has no weights.
void finish(inout float sums[UNIT_LANES], float scale) {
    unpremultiply(sums);
    for (int lane = 0; lane < UNIT_LANES; ++lane) {
        bool is_last = lane % CHANNELS == CHANNELS - 1;
        if (ALPHA == 0 || is_last == (ALPHA == 1)) {
            sums[lane] = product_of(sums[lane], scale);
        }
    }
}
