#version 430 core
#pragma optionNV(unroll all)
// Integral image, first pass of bands: the sum of each column within each band of BAND rows.
//
// Reads   i_src     the image
//         b_before  the same of the bands before, whose last row is what lies above
// Writes  b_words   row 0: what lies above the first band; row 1 + b: the sum of each column in band b; then to
//                   be summed up down the columns
// Group grid        y is the number of these rows
// Shared memory     none; invocations are independent, groups come in any order.
// Source            see integral_walk.comp
//
// @define CHANNELS  1         not looked at
// @define SRC_DEPTH 8|16|32   bits of a channel
// @define FLOAT     0|1       lib/scan_value.glsl: 1 for float images
// @define BAND      8|16      rows of a band
// @skip SRC_DEPTH=8 FLOAT=1
// @skip SRC_DEPTH=16 FLOAT=1
// @skip SRC_DEPTH=32 FLOAT=0
#define VALUE_LANES CHANNELS
#include "lib/scan_value.glsl"
#include "lib/integral.glsl"

layout(local_size_x = 64) in;

layout(std430) readonly buffer b_before { VALUE4 before[]; }; // four words at a time
layout(std430) writeonly buffer b_words { VALUE4 words[]; };

uniform int u_first_band;
uniform int u_before_row; // of b_before; -1: nothing lies above
uniform uint u_band_words; // of a row of b_words; whole units

// What lies above the first band.
VALUE4 load_before(uint quad) {
    return u_before_row < 0 ? VALUE4(0) : before[uint(u_before_row) * (u_band_words / 4u) + quad];
}

void sum_band(int first_row, uint texel_column, inout SCALAR total[SRC_LANES]) {
    uvec4 texels[BAND]; // all of them under way before the first is added
    for (int r = 0; r < BAND; ++r) {
        texels[r] = imageLoad(i_src, ivec2(texel_column, first_row + r));
    }
    for (int r = 0; r < BAND; ++r) {
        for (int lane = 0; lane < SRC_LANES; ++lane) {
            total[lane] += lane_number(texels[r], lane);
        }
    }
}

void main() {
    uint texel_column = gl_GlobalInvocationID.x;
    uint row = gl_WorkGroupID.y;
    SCALAR total[SRC_LANES];
    for (int lane = 0; lane < SRC_LANES; ++lane) {
        total[lane] = SCALAR(0);
    }
    if (row > 0u) {
        sum_band((u_first_band + int(row) - 1) * BAND, texel_column, total);
    }
    uint quad = texel_column * uint(SRC_LANES / 4);
    for (int q = 0; q < SRC_LANES / 4; ++q, ++quad) {
        if (quad < u_band_words / 4u) {
            VALUE4 sums = VALUE4(total[4 * q], total[4 * q + 1], total[4 * q + 2], total[4 * q + 3]);
            words[row * (u_band_words / 4u) + quad] = row > 0u ? sums : load_before(quad);
        }
    }
}
