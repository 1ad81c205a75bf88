#version 430 core
// Resizes a picture along x, with the same bits as resample.comp with AXIS 0, for pictures that shrink much. An
// invocation makes two neighbouring pixels in each of ROWS rows. It loads all the pixels they see by itself.
//
// Reads   i_src     a part of the picture
//         b_first   for each two columns of the result, the first column of the source that they see, where a texel
//                   begins
//         b_taps    the weights of that column and those after it. For every pair there are first the weights of its
//                   first column: u_taps of them, a multiple of 4. Weights are 0 for columns that neither sees, or only
//                   the other
// Writes  i_dst     the values between the axes
// Group grid        x covers the rows, y the columns, so that groups that run together share weights
// Shared memory     none; invocations are independent, groups come in any order.
// Source            see resample.comp
//
// @define SHORT    0|1   lib/pair_sums.glsl
// @define FETCHED  0|1   lib/texel.glsl
#if defined(ONE_PICTURE) && SHORT == 1 // see lib/moved.glsl
#define ROLLED
#pragma optionNV(unroll none)
#else
#pragma optionNV(unroll all)
#endif
#define SRC_DEPTH 8
#define CHANNELS 4
#include "lib/texel.glsl"
#include "lib/pair_sums.glsl"

#define GROUP 64
#define ROWS 4
layout(local_size_x = GROUP) in;

layout(rgba32ui) writeonly uniform uimage2D i_dst;

layout(std430) readonly buffer b_first { int first_column[]; };
layout(std430) readonly buffer b_taps { vec2 taps[]; };

uniform ivec2 u_count; // columns and rows of the result
uniform int u_taps;

uint word_of(float first, float second) {
    return (floatBitsToUint(first) & 0xffffu) | floatBitsToUint(second) << 16;
}

void main() {
    int pairs = (u_count.x + 1) / 2;
    int column = int(gl_WorkGroupID.y) * GROUP + int(gl_LocalInvocationIndex);
    int pair = min(column, pairs - 1);
    int row = int(gl_WorkGroupID.x) * ROWS;
    int from = first_column[pair] / SRC_PIXELS;
    int texels = u_taps / SRC_PIXELS;
    vec4 sums[ROWS][2];
    uvec4 ahead[ROWS];
    for (int r = 0; r < ROWS; ++r) {
        sums[r][0] = vec4(0.0);
        sums[r][1] = vec4(0.0);
        ahead[r] = texel_at(ivec2(from, row + r));
    }
    vec2 weights_ahead[SRC_PIXELS];
    int at = pair;
    for (int p = 0; p < SRC_PIXELS; ++p) {
        weights_ahead[p] = taps[at + p * pairs];
    }
    for (int t = 1; t <= texels; ++t) {
        at += t < texels ? SRC_PIXELS * pairs : 0;
        uvec4 next[ROWS];
        vec2 next_weights[SRC_PIXELS];
        for (int p = 0; p < SRC_PIXELS; ++p) {
            next_weights[p] = taps[at + p * pairs];
        }
        for (int r = 0; r < ROWS; ++r) {
            next[r] = texel_at(ivec2(from + t, row + r));
        }
        for (int p = 0; p < SRC_PIXELS; ++p) {
            for (int r = 0; r < ROWS; ++r) {
                vec4 values = values_of(ahead[r][p]);
                sums[r][0] = add_tap(sums[r][0], weights_ahead[p].x, values);
                sums[r][1] = add_tap(sums[r][1], weights_ahead[p].y, values);
            }
        }
        // copy: at the end of a turn, where llvmpipe and zink of Mesa 25 get it right; at its beginning zink does not
        ahead = next;
        // copy: likewise
        weights_ahead = next_weights;
    }
    for (int r = 0; r < ROWS; ++r) {
        uvec4 texel;
        for (int c = 0; c < 2; ++c) {
            vec4 rounded = rounded_sums(sums[r][c]);
            texel[2 * c] = word_of(rounded[0], rounded[1]);
            texel[2 * c + 1] = word_of(rounded[2], rounded[3]);
        }
        imageStore(i_dst, ivec2(column, row + r), texel);
    }
}
