#version 430 core
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
// @define BAND      7|15      rows of a band
// @skip SRC_DEPTH=8 FLOAT=1
// @skip SRC_DEPTH=16 FLOAT=1
// @skip SRC_DEPTH=32 FLOAT=0
#define VALUE_LANES CHANNELS
#include "lib/scan_value.glsl"
#include "lib/integral.glsl"

layout(local_size_x = 64) in;

layout(std430) readonly buffer b_before { SCALAR before[]; };
layout(std430) writeonly buffer b_words { SCALAR words[]; };

uniform int u_first_band;
uniform int u_before_row; // of b_before; -1: nothing lies above
uniform uint u_band_words; // of a row of b_words

SCALAR sum_of_lane(uint row, uint at, int lane, SCALAR sum) {
    return row > 0u ? sum : u_before_row < 0 ? SCALAR(0) : before[uint(u_before_row) * u_band_words + at];
}

void main() {
    uint texel_column = gl_GlobalInvocationID.x;
    uint row = gl_WorkGroupID.y;
    SCALAR total[SRC_LANES];
    for (int lane = 0; lane < SRC_LANES; ++lane) {
        total[lane] = SCALAR(0);
    }
    for (int r = 0; r < (row > 0u ? BAND : 0); ++r) {
        uvec4 texel = imageLoad(i_src, ivec2(texel_column, (u_first_band + int(row) - 1) * BAND + r));
        for (int lane = 0; lane < SRC_LANES; ++lane) {
            total[lane] += lane_number(texel, lane);
        }
    }
    for (int lane = 0; lane < SRC_LANES; ++lane) {
        uint at = texel_column * SRC_LANES + uint(lane);
        if (at < u_band_words) {
            words[row * u_band_words + at] = sum_of_lane(row, at, lane, total[lane]);
        }
    }
}
