#version 430 core
// The guided filter of 8 bits, one of its two stages, without shared memory: for software renderers. An invocation walks along a
// line of pixels, AXIS 1 first, and keeps the sums of a window: those that enter are added, those that leave subtracted.
//
// AXIS 1: down a column
// Reads   i_src    STAGE 0: the image
//         i_lines  STAGE 1: of stage 0
// Writes  i_sums   sums along y of the first two colours
//         i_third  CHANNELS 4: of the third
//
// AXIS 0: along a row
// Reads   i_sums, i_third
//         i_src    STAGE 1: the image
// Writes  i_lines  STAGE 0
//         i_dst    STAGE 1: the result, of the same form as the image
//
// Group grid       covers the columns, or the rows; groups come in any order
// Shared bytes     none
// Source           see guided/strip.comp
//
// @define STAGE    0|1         guided/sums.glsl
// @define AXIS     0|1
// @define BORDER   0|1|2|3     lib/border.glsl
// @define CHANNELS 1|2|4       as stored
#define SRC_DEPTH 8
#define DST_DEPTH 8
#include "lib/texel.glsl"
#include "lib/reproducible.glsl"
#include "lib/code.glsl"
#include "lib/border.glsl"
#include "guided/sums.glsl"

layout(local_size_x = 8) in;

#if AXIS == 1
layout(rgba32ui) writeonly uniform uimage2D i_sums;
layout(rgba32ui) writeonly uniform uimage2D i_third;

void add(inout uvec2 sums[COLOURS], int x, int y, uint sign) {
    uvec2 numbers[COLOURS] = numbers_of(texel_with(x, border_index(y, u_size.y)), x);
    for (int c = 0; c < COLOURS; ++c) {
        sums[c] += sign * numbers[c];
    }
}

void store(int x, int y, uvec2 sums[COLOURS]) {
    imageStore(i_sums, ivec2(x, y), uvec4(column_of(sums[0]), column_of(sums[min(1, COLOURS - 1)])));
#if CHANNELS == 4
    imageStore(i_third, ivec2(x, y), uvec4(column_of(sums[2]), 0u, 0u));
#endif
}

void main() {
    int x = int(gl_GlobalInvocationID.x);
    int column = min(x, u_size.x - 1);
    uvec2 sums[COLOURS];
    for (int c = 0; c < COLOURS; ++c) {
        sums[c] = uvec2(0u);
    }
    for (int d = -u_radius; d < u_radius; ++d) {
        add(sums, column, d, 1u);
    }
    for (int y = 0; y < u_size.y; ++y) {
        add(sums, column, y + u_radius, 1u);
        store(x, y, sums);
        add(sums, column, y - u_radius, ~0u);
    }
}
#else
layout(rgba32ui) readonly uniform uimage2D i_sums;
layout(rgba32ui) readonly uniform uimage2D i_third;

void add(inout uvec2 sums[COLOURS], int x, int y, uint sign) {
    int from = border_index(x, u_size.x);
    uvec4 texel = imageLoad(i_sums, ivec2(from, y));
    sums[0] += sign * texel.xy;
#if CHANNELS == 4
    sums[1] += sign * texel.zw;
    sums[2] += sign * imageLoad(i_third, ivec2(from, y)).xy;
#endif
}

void main() {
    int y = int(gl_GlobalInvocationID.x);
    uvec2 sums[COLOURS];
    for (int c = 0; c < COLOURS; ++c) {
        sums[c] = uvec2(0u);
    }
    for (int d = -u_radius; d < u_radius; ++d) {
        add(sums, d, y, 1u);
    }
    for (int x = 0; x < u_size.x; x += SRC_PIXELS) {
#if STAGE == 1
        uvec4 source = texel_at(ivec2(x / SRC_PIXELS, y));
        uvec4 result = uvec4(0u);
#endif
        for (int p = 0; p < SRC_PIXELS; ++p) {
            add(sums, x + p + u_radius, y, 1u);
#if STAGE == 0
            imageStore(i_lines, ivec2(x + p, y), lines_of(sums));
#else
            result[p * CHANNELS >> 2] |= pixel_of(sums, source, p) << (p * CHANNELS * 8 & 31);
#endif
            add(sums, x + p - u_radius, y, ~0u);
        }
#if STAGE == 1
        imageStore(i_dst, ivec2(x / SRC_PIXELS, y), result);
#endif
    }
}
#endif
