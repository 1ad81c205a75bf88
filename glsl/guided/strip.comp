#version 430 core
// The guided filter of 8 bits, one of its two stages, at a cost that hardly grows with the radius: a group marches down a strip.
//
// Each invocation owns a column of pixels and keeps its sums along y. The row that enters the window is added. The row that
// leaves it is loaded again and subtracted. Along x each warp turns its columns into running sums in shared memory. A window is
// the difference of two of them, and the last of each warp between. Sums are whole numbers that may wrap around on the way.
// Two rows of shared memory take turns, so that one barrier a row is enough.
//
// Reads   i_src    the image
//         i_lines  STAGE 1: of stage 0
// Writes  i_lines  STAGE 0
//         i_dst    STAGE 1: the result, of the same form as the image
// Group grid       x covers the pixels, GROUP - 2 * u_reach a group, y the rows, u_rows a group; groups come in any order
// Shared bytes     16 * COLOURS * (GROUP + 1), and the bytes of lib/lanes.glsl
// Assumes          u_radius <= u_reach < GROUP / 2, and u_reach a multiple of the pixels of a texel of i_src
// Source           see guided/products.comp; M. J. McDonnell, Box-filtering techniques, CGIP 17(1), 1981.
//
// @define STAGE    0|1         guided/sums.glsl
// @define BORDER   0|1|2|3     lib/border.glsl
// @define CHANNELS 1|2|4       as stored
// @define GROUP    256|512     invocations; pixels that a group loads of a row
// @define SHUFFLE  0|1         lib/lanes.glsl
// @define FETCHED  0|1         lib/texel.glsl; STAGE 1: of lines as well
#define SRC_DEPTH 8
#define DST_DEPTH 8
#define LANE_SUMS uvec2
#include "lib/lanes.glsl"
#include "lib/texel.glsl"
#include "lib/reproducible.glsl"
#include "lib/code.glsl"
#include "lib/border.glsl"
#include "guided/sums.glsl"

uniform int u_reach; // pixels left and right of those that are stored
uniform int u_rows;

#define WARM 4          // rows whose loads are under way at the same time before the first turn
#define ROW (GROUP + 1) // the sum before the first column, which is 0, and one for each column

shared uvec2 s_running[2 * COLOURS * ROW];

int place_of(int turn, int c) {
    return ((turn & 1) * COLOURS + c) * ROW + 1;
}

uvec4 row_texel(int x, int y) {
    return texel_with(x, border_index(y, u_size.y));
}

void add(inout uvec2 sums[COLOURS], uvec4 texel, int x, uint sign) {
    uvec2 numbers[COLOURS] = numbers_of(texel, x);
    for (int c = 0; c < COLOURS; ++c) {
        sums[c] += sign * numbers[c];
    }
}

// The sums along y of the window around row y.
void sum_column(int x, int y, out uvec2 sums[COLOURS]) {
    for (int c = 0; c < COLOURS; ++c) {
        sums[c] = uvec2(0u);
    }
    for (int d = -u_radius; d <= u_radius; d += WARM) {
        uvec4 texels[WARM];
        for (int i = 0; i < WARM; ++i) {
            texels[i] = row_texel(x, y + d + i);
        }
        for (int i = 0; i < WARM; ++i) {
            add(sums, texels[i], x, uint(d + i <= u_radius));
        }
    }
}

void share(int turn, int me, uvec2 sums[COLOURS]) {
    for (int c = 0; c < COLOURS; ++c) {
        uvec2 column = column_of(sums[c]);
        uvec2 all;
        uvec2 before = lanes_before(column, all);
        s_running[place_of(turn, c) + me] = before + column;
    }
}

// The window around column `me` of the group.
void sum_window(int turn, int me, out uvec2 sums[COLOURS]) {
    int to = min(me + u_radius, GROUP - 1);
    int from = max(me - u_radius - 1, -1);
    for (int c = 0; c < COLOURS; ++c) {
        sums[c] = s_running[place_of(turn, c) + to] - s_running[place_of(turn, c) + from];
    }
    for (int warp = from >> 5; warp < to >> 5; ++warp) {
        for (int c = 0; c < COLOURS; ++c) {
            sums[c] += s_running[place_of(turn, c) + 32 * warp + 31];
        }
    }
}

#if STAGE == 0
void store(int x, int y, uvec2 sums[COLOURS], bool keep) {
    uvec4 texel = lines_of(sums);
#if CHANNELS < 4
    texel.zw = from_lane(texel.xy, LANE ^ 1);
    keep = keep && (LANE & 1) == 0;
#endif
    if (keep) {
        imageStore(i_lines, ivec2(x / LINE_PIXELS, y), texel);
    }
}
#else
// The first lanes of a warp store a texel each.
void store(int x, int y, uvec2 sums[COLOURS], bool keep) {
    int first = x - LANE;
    int inside = border_index(x, u_size.x);
    uint pixel = pixel_of(sums, texel_at(ivec2(inside / SRC_PIXELS, y)), inside);
    uvec4 texel = uvec4(0u);
    for (int p = 0; p < SRC_PIXELS; ++p) {
        uint bits = from_lane(uvec2(pixel), (LANE * SRC_PIXELS + p) & 31).x;
        texel[p * CHANNELS >> 2] |= bits << (p * CHANNELS * 8 & 31);
    }
    bool is_kept = from_lane(uvec2(keep), (LANE * SRC_PIXELS) & 31).x != 0u;
    if (is_kept && LANE < 32 / SRC_PIXELS) {
        imageStore(i_dst, ivec2(first / SRC_PIXELS + LANE, y), texel);
    }
}
#endif

void main() {
    int me = 32 * WARP + LANE;
    int x = int(gl_WorkGroupID.x) * (GROUP - 2 * u_reach) - u_reach + me;
    int column = border_index(x, u_size.x);
    bool keep = me >= u_reach && me < GROUP - u_reach && x < u_size.x;
    int begin = int(gl_WorkGroupID.y) * u_rows;
    int end = min(begin + u_rows, u_size.y);
    if (me < 2 * COLOURS) {
        s_running[me * ROW] = uvec2(0u);
    }
    uvec2 sums[COLOURS];
    sum_column(column, begin - 1, sums);
    uvec4 incoming = row_texel(column, begin + u_radius);
    uvec4 outgoing = row_texel(column, begin - 1 - u_radius);
    for (int y = begin; y < end; ++y) {
        add(sums, incoming, column, 1u);
        add(sums, outgoing, column, ~0u);
        incoming = row_texel(column, y + 1 + u_radius);
        outgoing = row_texel(column, y - u_radius);
        share(y, me, sums);
        wg_sync();
        uvec2 window[COLOURS];
        sum_window(y, me, window);
        store(x, y, window, keep);
    }
}
