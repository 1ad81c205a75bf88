#version 430 core
#pragma optionNV(unroll all)
// Integral image, first pass of bands: the sum of each column within each band of u_band rows, and of each row
// within each strip of STRIP columns.
//
// Reads   i_src     the image
//         b_before  the same of the bands before; its last row is the sum of everything above
// Writes  b_words   row 0: the sums of everything above the first band; row 1 + b: the sum of each column in band b;
//                   then to be summed up down the columns
//         b_left    row 1 + s: the sums in strip s, of each row of b_words and then of each row of the image, of
//                   each channel; row 0: zeros. Then to be summed up down the columns too
// Group grid        y is the number of the rows of b_words
// Shared memory     CHANNELS * 2048 bytes; groups come in any order.
// Source            see integral/walk.comp
//
// @define CHANNELS  1|2|4     as stored
// @define SRC_DEPTH 8|16|32   bits of a channel
// @define FLOAT     0|1       lib/scan_value.glsl: 1 for float images
// @define STRIP     32|128    columns of a strip
// @skip SRC_DEPTH=8 FLOAT=1
// @skip SRC_DEPTH=16 FLOAT=1
// @skip SRC_DEPTH=32 FLOAT=0
#define VALUE_LANES CHANNELS
#include "lib/sync.glsl"
#include "lib/scan_value.glsl"
#include "lib/integral.glsl"

#define GROUP 64
#define DEEP 2    // rows at once: textures keep texels near those below them as well as near those beside them
#define TEXELS (GROUP / DEEP) // of a row
#define TURN 8    // rows at a time: all of their loads are under way before the first is added
#define LOADS (TURN / DEEP)
#define STRIP_TEXELS (STRIP / SRC_LANES)
#define STRIPS (TEXELS / STRIP_TEXELS) // of a group

layout(local_size_x = GROUP) in;

layout(std430) readonly buffer b_before { VALUE4 before[]; }; // four words at a time
layout(std430) writeonly buffer b_words { VALUE4 words[]; };
layout(std430) writeonly buffer b_left { VALUE left[]; };

uniform int u_band;       // rows of a band: a multiple of TURN
uniform uint u_strips;
uniform uint u_left_values; // of a row of b_left
uniform int u_first_band;
uniform int u_before_row; // of b_before; -1: there is nothing above
uniform uint u_band_words; // of a row of b_words; whole units

shared VALUE s_sums[TURN * TEXELS]; // of each row of a turn, of each texel
shared SCALAR s_totals[GROUP * SRC_LANES];

// The sums of everything above the first band.
VALUE4 load_before(uint quad) {
    return u_before_row < 0 || quad >= u_band_words / 4u ? VALUE4(0)
                                                         : before[uint(u_before_row) * (u_band_words / 4u) + quad];
}

// The sum of a texel's lanes, by channel.
VALUE sum_lanes(SCALAR lanes[SRC_LANES]) {
    VALUE sum = VALUE(0);
    for (int lane = 0; lane < SRC_LANES; lane += CHANNELS) {
        sum += value_of(VALUE4(lanes[lane], lanes[lane + 1 % CHANNELS], lanes[lane + 2 % CHANNELS],
                               lanes[lane + 3 % CHANNELS]));
    }
    return sum;
}

// Sums up s_sums for each strip, `rows` rows, into b_left, beginning at `first`. For all invocations at once.
void store_strips(int rows, uint first) {
    wg_sync();
    for (int i = int(gl_LocalInvocationIndex); i < rows * STRIPS; i += GROUP) {
        int row = i % rows;
        int strip = i / rows;
        VALUE sum = VALUE(0);
        for (int t = 0; t < STRIP_TEXELS; ++t) {
            int texel = (t + row) % STRIP_TEXELS; // in different banks for neighbours
            sum += s_sums[row * TEXELS + strip * STRIP_TEXELS + texel];
        }
        uint place = gl_WorkGroupID.x * STRIPS + uint(strip);
        if (place < u_strips) {
            left[(place + 1u) * u_left_values + first + uint(row)] = sum;
            if (place == 0u) {
                left[first + uint(row)] = VALUE(0);
            }
        }
    }
    wg_sync();
}

// This invocation's place among the rows that are loaded at once, and in them.
int row_here() {
    return int(gl_LocalInvocationIndex) / (32 / DEEP) % DEEP;
}

int texel_here() {
    int i = int(gl_LocalInvocationIndex);
    return i / 32 * (32 / DEEP) + i % (32 / DEEP);
}

void load_rows(int texel_column, int y, out uvec4 texels[LOADS]) {
    for (int i = 0; i < LOADS; ++i) {
        texels[i] = imageLoad(i_src, ivec2(texel_column, y + i * DEEP + row_here()));
    }
}

void sum_rows(uvec4 texels[LOADS], inout SCALAR total[SRC_LANES]) {
    for (int i = 0; i < LOADS; ++i) {
        SCALAR lanes[SRC_LANES];
        for (int lane = 0; lane < SRC_LANES; ++lane) {
            lanes[lane] = lane_number(texels[i], lane);
            total[lane] += lanes[lane];
        }
        s_sums[(i * DEEP + row_here()) * TEXELS + texel_here()] = sum_lanes(lanes);
    }
}

// Adds up the totals of the rows that are loaded at once. For all invocations at once.
void join_totals(inout SCALAR total[SRC_LANES]) {
    for (int lane = 0; lane < SRC_LANES; ++lane) {
        s_totals[lane * GROUP + row_here() * TEXELS + texel_here()] = total[lane];
    }
    wg_sync();
    for (int lane = 0; lane < SRC_LANES; ++lane) {
        total[lane] = SCALAR(0);
        for (int r = 0; r < DEEP; ++r) {
            total[lane] += s_totals[lane * GROUP + r * TEXELS + texel_here()];
        }
    }
}

void main() {
    int texel_column = int(gl_WorkGroupID.x) * TEXELS + texel_here();
    uint row = gl_WorkGroupID.y;
    uint quad = uint(texel_column) * uint(SRC_LANES / 4);
    SCALAR total[SRC_LANES];
    for (int q = 0; q < SRC_LANES / 4; ++q) {
        VALUE4 above = row > 0u || row_here() > 0 ? VALUE4(0) : load_before(quad + uint(q));
        total[4 * q] = above.x;
        total[4 * q + 1] = above.y;
        total[4 * q + 2] = above.z;
        total[4 * q + 3] = above.w;
    }
    int end = row > 0u ? int(row) * u_band : 0; // counted from the first band
    int y = max(end - u_band, 0);
    uvec4 texels[LOADS];
    load_rows(texel_column, u_first_band * u_band + y, texels);
    for (; y < end; y += TURN) {
        sum_rows(texels, total);
        load_rows(texel_column, u_first_band * u_band + y + TURN, texels); // under way while others are waited for
        store_strips(TURN, gl_NumWorkGroups.y + uint(y));
    }
    join_totals(total);
    for (int q = 0; q < SRC_LANES / 4; ++q) {
        if (row_here() == q % DEEP && quad + uint(q) < u_band_words / 4u) {
            words[row * (u_band_words / 4u) + quad + uint(q)] =
                VALUE4(total[4 * q], total[4 * q + 1], total[4 * q + 2], total[4 * q + 3]);
        }
    }
    s_sums[texel_here()] = sum_lanes(total); // race: the same for all of a texel
    store_strips(1, row);
}
