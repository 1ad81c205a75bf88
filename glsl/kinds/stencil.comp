#version 430 core
#pragma optionNV(unroll all)
// A stencil: every channel of the result is a function of the pixels near it, up to REACH to each side.
//
// OPERATION is a file with `float stencil(int lane)`: the result for a lane, that is for one channel of a pixel. It is
// in code units (0 to 255, 0 to 65535, or floats as they are) and uses near(lane, dx, dy). It reads its parameters by
// param(i).
//
// Each invocation walks down a strip one unit wide and keeps the rows that a pixel can see in registers: a row is read once.
//
// Reads   i_src     the image
//         u_params  the parameters
// Writes  i_dst     the result, of as many pixels and channels; its depth may differ
// Group grid        x covers the units, y strips of u_rows rows
// Shared memory     none; invocations are independent, groups come in any order.
//
// @define OPERATION stencil    a file of this kind
// @define REACH     1|2|3      pixels to each side
// @define PARAMS    64         at most so many
// @define BORDER    0|1|2|3|4  lib/border.glsl
// @define CHANNELS  1|2|4      as stored
// @define SRC_DEPTH 8|16|32    bits of a channel
// @define DST_DEPTH 8|16|32
// @define KEEP      0|1        whether the last channel, alpha, is kept as it is
// @define HIDES     0|1        whether the last channel is alpha, where 0 hides a pixel from its neighbours
// @define FETCHED   0|1        lib/texel.glsl
// @define EDGE      0|1        whether units may depend on pixels beyond the image: code for that fills registers
// @skip CHANNELS=1 KEEP=1
// @skip CHANNELS=1 HIDES=1
// @skip SRC_DEPTH=8 DST_DEPTH=16
// @skip SRC_DEPTH=16 DST_DEPTH=8
// @skip SRC_DEPTH=32 DST_DEPTH=8
// @skip SRC_DEPTH=32 DST_DEPTH=16
#define ALPHA 0
#include "lib/pixel.glsl"
#include "lib/border.glsl"

layout(local_size_x = 32, local_size_y = 4) in;

uniform float u_params[PARAMS];

uniform int u_rows;        // of a strip; a multiple of ROWS
uniform ivec2 u_skip;      // groups left to another dispatch: the first of them, and how many
uniform float u_alpha_one; // 1 of alpha in the result, divided by 1 of alpha in the source

float param(int i) {
    return u_params[i];
}

#define REACH_TEXELS ((REACH * CHANNELS + SRC_LANES - 1) / SRC_LANES)
#define AROUND (SRC_TEXELS + 2 * REACH_TEXELS) // texels of a row that a unit depends on
#define FIRST_LANE (REACH_TEXELS * SRC_LANES - REACH * CHANNELS)
#define SEEN_LANES (UNIT_LANES + 2 * REACH * CHANNELS)
#define ROWS 2 // of the result a turn
#define HEIGHT (ROWS + 2 * REACH)
#include "lib/around.glsl"
#include "lib/moved.glsl"

float rows[HEIGHT * SEEN_LANES]; // one after another
int top = 0; // the first of `rows` that is in reach

float value_near(int lane, int dx, int dy) {
    return rows[(top + REACH + dy) * SEEN_LANES + REACH * CHANNELS + lane + dx * CHANNELS];
}

#include "lib/near.glsl"
#include OPERATION

// Makes room for ROWS rows.
void take_rows(uvec4 texels[ROWS][AROUND]) {
    MAKE_ROOM(rows, HEIGHT, SEEN_LANES, ROWS)
    for (int j = 0; j < ROWS; ++j) {
        float row[SEEN_LANES];
        for (int lane = 0; lane < SEEN_LANES; ++lane) {
            int at = lane + FIRST_LANE;
            row[lane] = lane_value(texels[j][at / SRC_LANES], at % SRC_LANES);
        }
        PUT_ROW(rows, HEIGHT - ROWS + j, SEEN_LANES, row)
    }
}

// Row `y` of the result, from the rows in reach of `first_row` of those held.
void store_row(int unit, int y, int end, int first_row) {
    top = first_row;
    float values[UNIT_LANES];
    for (int lane = 0; lane < UNIT_LANES; ++lane) {
        bool is_kept = KEEP == 1 && lane % CHANNELS == CHANNELS - 1;
        values[lane] = is_kept ? product_of(near(lane, 0, 0), u_alpha_one) : stencil(lane);
    }
    store_unit(unit, y < end ? y : -1, values);
}

void main() {
    int group = int(gl_WorkGroupID.x);
    group += group >= u_skip.x ? u_skip.y : 0;
    int unit = group * int(gl_WorkGroupSize.x) + int(gl_LocalInvocationID.x);
    int begin = int(gl_GlobalInvocationID.y) * u_rows;
    int end = min(begin + u_rows, u_size.y);
    int first = unit * SRC_TEXELS;
#if EDGE == 1
    bool inside = first * SRC_PIXELS < u_size.x;
    int left = inside ? clamp(REACH_TEXELS - first, 0, AROUND) : 0;
    int right = inside ? clamp(first + SRC_TEXELS + REACH_TEXELS - u_size.x / SRC_PIXELS, 0, AROUND) : 0;
#endif
    uvec4 ahead[ROWS][AROUND]; // loaded a turn before they are used
    begin_rows(first - REACH_TEXELS, begin - REACH, ahead);
    for (int y = begin - REACH; y < end + REACH; y += ROWS) {
        uvec4 next[ROWS][AROUND];
        begin_rows(first - REACH_TEXELS, y + ROWS, next);
#if EDGE == 1
        complete_rows(first - REACH_TEXELS, left, right, y, ahead);
#endif
        take_rows(ahead);
        // Until all its rows are there, there is no result.
        for (int turns = y >= begin + REACH ? 1 : 0; turns > 0; --turns) {
            store_row(unit, y - REACH, end, 0);
#if ROWS > 1
            store_row(unit, y - REACH + 1, end, 1);
#endif
        }
        ahead = next; // copy: at the end of a turn, as Mesa 25 miscompiles one whose source is overwritten while it is used
    }
}
