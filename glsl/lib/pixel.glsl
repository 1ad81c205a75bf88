// Pixels of i_src as floats in code units (0-255, 0-65535, or the float itself), and back into i_dst.
//
// The work of one invocation is a unit: the fewest pixels that fill whole texels on both sides, or UNIT_LANES lanes of
// pixels. Four of its lanes are a quad, if the first is a multiple of four.
//
// Needs all that lib/texel.glsl needs, DST_DEPTH (8, 16 or 32) and ALPHA:
//   0  channels are independent
//   1  colour is weighted by alpha (the last channel): premultiply() after loading, unpremultiply() before storing
//   2  the last channel is kept as it is
#include "lib/texel.glsl"
#include "lib/put_lane.glsl"
#include "lib/reproducible.glsl"
#include "lib/code.glsl"
#include "lib/hidden.glsl"

#ifndef SHARPEN
#define SHARPEN 0
#endif
#include "lib/ending.glsl"

#define DST_LANES (128 / DST_DEPTH)
#ifndef UNIT_LANES
#define UNIT_LANES (SRC_DEPTH < DST_DEPTH ? SRC_LANES : DST_LANES)
#endif
#define UNIT_PIXELS (UNIT_LANES / CHANNELS)
#define SRC_TEXELS (UNIT_LANES / SRC_LANES)
#define DST_TEXELS (UNIT_LANES / DST_LANES)

#ifdef LOOKS_AT_DST
layout(rgba32ui) uniform uimage2D i_dst;
#else
layout(rgba32ui) writeonly uniform uimage2D i_dst;
#endif

float lane_value(uvec4 texel, int lane) {
#if SRC_DEPTH == 32
    return float_of_bits(texel[lane]);
#else
    return float(lane_bits(texel, lane));
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
        put_code(texel, lane, values[first + lane]);
    }
    return texel;
}

// Texels beyond the image are dropped by the image unit.
void store_unit(int unit, int y, float values[UNIT_LANES]) {
    for (int t = 0; t < DST_TEXELS; ++t) {
        imageStore(i_dst, ivec2(unit * DST_TEXELS + t, y), pack_texel(values, t * DST_LANES));
    }
}

// Four lanes side by side, which hold whole pixels, with colour weighted by alpha.
vec4 premultiplied(vec4 v) {
#if ALPHA == 1
    for (int lane = 0; lane < 4; ++lane) {
        int alpha = lane | CHANNELS - 1;
        v[lane] = lane == alpha ? v[lane] : weighted_colour(v[lane], v[alpha]);
    }
#endif
    return v;
}

vec4 quad_of(float values[UNIT_LANES], int quad) {
    return vec4(values[4 * quad], values[4 * quad + 1], values[4 * quad + 2], values[4 * quad + 3]);
}

void put_quad(inout float values[UNIT_LANES], int quad, vec4 v) {
    for (int lane = 0; lane < 4; ++lane) {
        values[4 * quad + lane] = v[lane];
    }
}

// The same for all lanes of a unit.
void premultiply(inout float values[UNIT_LANES]) {
    for (int q = 0; q < UNIT_LANES / 4; ++q) {
        put_quad(values, q, premultiplied(quad_of(values, q)));
    }
}

void unpremultiply(inout float values[UNIT_LANES]) {
    for (int q = 0; q < UNIT_LANES / 4; ++q) {
        put_quad(values, q, unpremultiplied(quad_of(values, q)));
    }
}

void finish(inout float sums[UNIT_LANES], float scale) {
    for (int q = 0; q < UNIT_LANES / 4; ++q) {
        put_quad(sums, q, finished(quad_of(sums, q), scale));
    }
}
