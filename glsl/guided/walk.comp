#version 430 core
// The guided filter of 8 bits, one of its two stages, without shared memory: for software renderers. An invocation walks along a
// line of pixels, AXIS 1 first, and keeps the sums of a window: those that enter are added, those that leave subtracted.
//
// AXIS 1: down a column
// Reads   i_src    STAGE 0: the image
//         i_lines  STAGE 1: of stage 0
// Writes  i_sums   sums along y, a texel a pixel, or two with one colour; CHANNELS 4, STAGE 1: of the first two colours
//         i_third  STAGE 1, CHANNELS 4: of the third
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

// Sums of a column as they are stored: 16 bits of values, and 24 of squares.
#if CHANNELS == 4 && STAGE == 0
uvec4 packed_sums(uvec2 sums[COLOURS]) {
    uvec4 texel = uvec4(0u);
    for (int c = 0; c < COLOURS; ++c) {
        texel[c] = sums[c].y << 8 | (sums[c].x & 255u);
        texel.w |= sums[c].x >> 8 << (8 * c);
    }
    return texel;
}

uvec2 unpacked_sums(uvec4 texel, int c) {
    return uvec2((texel[c] & 255u) + ((texel.w >> (8 * c) & 255u) << 8), texel[c] >> 8);
}
#elif CHANNELS == 4
uvec4 packed_sums(uvec2 sums[COLOURS]) {
    return uvec4(column_of(sums[0]), column_of(sums[1]));
}

uvec2 unpacked_sums(uvec4 texel, int c) {
    return c == 0 ? texel.xy : texel.zw;
}
#endif

#if AXIS == 1
layout(rgba32ui) writeonly uniform uimage2D i_sums;
layout(rgba32ui) writeonly uniform uimage2D i_third;

#define PIXELS (STAGE == 0 ? SRC_PIXELS : LINE_PIXELS) // of a texel that is added

void add(inout uvec2 sums[PIXELS * COLOURS], int x, int y, uint sign) {
    uvec4 texel = texel_with(x, border_index(y, u_size.y));
    for (int p = 0; p < PIXELS; ++p) {
        uvec2 numbers[COLOURS] = numbers_of(texel, p);
        for (int c = 0; c < COLOURS; ++c) {
            sums[p * COLOURS + c] += sign * numbers[c];
        }
    }
}

void store(int x, int y, uvec2 sums[PIXELS * COLOURS]) {
#if CHANNELS == 4
    for (int p = 0; p < PIXELS; ++p) {
        uvec2 columns[3] = uvec2[3](sums[p * 3], sums[p * 3 + 1], sums[p * 3 + 2]);
        imageStore(i_sums, ivec2(x + p, y), packed_sums(columns));
#if STAGE == 1
        imageStore(i_third, ivec2(x, y), uvec4(column_of(columns[2]), 0u, 0u));
#endif
    }
#else
    for (int p = 0; p < PIXELS; p += 2) {
        imageStore(i_sums, ivec2((x + p) / 2, y), uvec4(column_of(sums[p]), column_of(sums[p + 1])));
    }
#endif
}

void main() {
    int x = int(gl_GlobalInvocationID.x) * PIXELS;
    uvec2 sums[PIXELS * COLOURS];
    for (int i = 0; i < PIXELS * COLOURS; ++i) {
        sums[i] = uvec2(0u);
    }
    for (int d = -u_radius; d < u_radius; ++d) {
        add(sums, x, d, 1u);
    }
    for (int y = 0; y < u_size.y; ++y) {
        add(sums, x, y + u_radius, 1u);
        store(x, y, sums);
        add(sums, x, y - u_radius, ~0u);
    }
}
#else
layout(rgba32ui) readonly uniform uimage2D i_sums;
layout(rgba32ui) readonly uniform uimage2D i_third;

void add(inout uvec2 sums[COLOURS], int x, int y, uint sign) {
    int from = border_index(x, u_size.x);
#if CHANNELS == 4
    uvec4 texel = imageLoad(i_sums, ivec2(from, y));
    sums[0] += sign * unpacked_sums(texel, 0);
    sums[1] += sign * unpacked_sums(texel, 1);
#if STAGE == 0
    sums[2] += sign * unpacked_sums(texel, 2);
#else
    sums[2] += sign * imageLoad(i_third, ivec2(from, y)).xy;
#endif
#else
    uvec4 texel = imageLoad(i_sums, ivec2(from / 2, y));
    sums[0] += sign * (from % 2 == 0 ? texel.xy : texel.zw);
#endif
}

#if STAGE == 0
// Pixel by pixel; of two that share a texel the first waits.
void store_lines(int x, int y, uvec2 sums[COLOURS], inout uvec2 waiting) {
    uvec4 texel = lines_of(sums);
#if CHANNELS == 4
    imageStore(i_lines, ivec2(x, y), texel);
#else
    if (x % 2 == 1) {
        imageStore(i_lines, ivec2(x / 2, y), uvec4(waiting, texel.xy));
    }
    waiting = texel.xy;
#endif
}
#endif

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
#if STAGE == 0
        uvec2 waiting = uvec2(0u);
#else
        uvec4 source = texel_at(ivec2(x / SRC_PIXELS, y));
        uvec4 result = uvec4(0u);
#endif
        for (int p = 0; p < SRC_PIXELS; ++p) {
            add(sums, x + p + u_radius, y, 1u);
#if STAGE == 0
            store_lines(x + p, y, sums, waiting);
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
