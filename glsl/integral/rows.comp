#version 430 core
#pragma optionNV(unroll all)
// Integral image, first pass of rows_columns: the running sums of each row. A group walks along a row, GROUP
// units at a time.
//
// Reads   i_src   the image
// Writes  b_sums  rows u_first_row to u_end_row - 1 of the result, which hold no sum of rows above yet
// Shared memory   lib/wg_scan.glsl or lib/subgroup.glsl, times CHANNELS; groups come in any order.
// Source          F. C. Crow, Summed-Area Tables for Texture Mapping, SIGGRAPH 1984; prefix sums of rows, then
//                 of columns, as in the sources of lib/wg_scan.glsl
//
// @define CHANNELS  1|2|4     as stored
// @define SRC_DEPTH 8|16|32   bits of a channel
// @define FLOAT     0|1       lib/scan_value.glsl: 1 for float images
// @define GROUP     8|256     invocations
// @define SUBGROUP  0|1       lib/subgroup.glsl
// @skip SRC_DEPTH=8 FLOAT=1
// @skip SRC_DEPTH=16 FLOAT=1
// @skip SRC_DEPTH=32 FLOAT=0
#define QUADS 1
#define VALUE_LANES CHANNELS
#include "lib/subgroup.glsl"
#include "lib/wg_scan.glsl"
#include "lib/integral.glsl"

layout(local_size_x = GROUP) in;

#include "lib/group.glsl"

// A unit is the 16 lanes of an invocation, whole texels.
#define UNIT_LANES 16
#define UNIT_TEXELS (UNIT_LANES / SRC_LANES)

uniform int u_units; // of a row

// 0 where the image has no such texel.
void load_unit(int unit, int y, out SCALAR lanes[UNIT_LANES]) {
    for (int t = 0; t < UNIT_TEXELS; ++t) {
        uvec4 texel = imageLoad(i_src, ivec2(unit * UNIT_TEXELS + t, y));
        for (int lane = 0; lane < SRC_LANES; ++lane) {
            lanes[t * SRC_LANES + lane] = lane_number(texel, lane);
        }
    }
}

// Turns lanes into running sums of their channel; returns the sum of each.
VALUE sum_up_unit(inout SCALAR lanes[UNIT_LANES]) {
    for (int lane = CHANNELS; lane < UNIT_LANES; ++lane) {
        lanes[lane] += lanes[lane - CHANNELS];
    }
#if CHANNELS == 1
    return lanes[15];
#elif CHANNELS == 2
    return VALUE(lanes[14], lanes[15]);
#else
    return VALUE(lanes[12], lanes[13], lanes[14], lanes[15]);
#endif
}

SCALAR part_of(VALUE value, int lane) {
#if CHANNELS == 1
    return value;
#else
    return value[lane % CHANNELS];
#endif
}

void store_sum(int column, int row, SCALAR sum) {
    int x = column / CHANNELS;
    int channel = column % CHANNELS;
    if (x < u_size.x && channel < u_channels && row >= u_first_row && row < u_end_row) {
        sums[word_of(row, x + u_pad) + uint(channel)] = sum;
    }
}

void main() {
    int row = u_first_row + int(linear_group());
    int place = int(wg_place(0u));
    VALUE carry = VALUE(0);
    for (int first = 0; first < u_units; first += GROUP) {
        SCALAR lanes[UNIT_LANES];
        load_unit(first + place, row - u_pad, lanes);
        VALUE before[1];
        before[0] = sum_up_unit(lanes);
        VALUE total = wg_scan(before);
        for (int lane = 0; lane < UNIT_LANES; ++lane) {
            store_sum((first + place) * UNIT_LANES + lane, row, lanes[lane] + part_of(carry + before[0], lane));
        }
        carry += total;
    }
    store_zero(row, int(gl_LocalInvocationIndex));
}
