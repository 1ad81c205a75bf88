#version 430 core
// Both axes of a separable filter in one pass: a group marches down a strip of the image.
//
// ROWS rows at a time are summed along x, a whole texel an invocation, from the texels in shared memory, and the sums
// shared. Then each of GROUP invocations, which owns a column of quads (four channel values side by side), adds a row's
// to the 2 RADIUS + 1 rows of the result that are under way in its registers, and shares the oldest, which is done.
// Every pixel is loaded once a strip, and half of the sums need no shared memory.
//
// Reads   i_src    the image
// Writes  i_dst    the result, of the same format
// Shared bytes     128 * STRIP + 64 * STRIP * STRIDE; groups come in any order
// Source           a separable filter as in Gonzalez and Woods, Digital Image Processing, 4th ed., 3.5.
//
// @define BORDER    0|1|2|3|4     lib/border.glsl
// @define CHANNELS  1|2|4         as stored
// @define SRC_DEPTH 8|16|32       bits of a channel
// @define ALPHA     0|1|2         lib/pixel.glsl
// @define RADIUS    2|4|8|12|16   at least the radius of both axes
// @define GROUP     64|128        invocations
// @skip CHANNELS=1 ALPHA=1
// @skip CHANNELS=1 ALPHA=2
#pragma optionNV(unroll all)
#define DST_DEPTH SRC_DEPTH
#include "lib/sync.glsl"
#include "lib/pixel.glsl"
#include "lib/border.glsl"
#include "lib/half_kernels.glsl"

#define ROWS 4

layout(local_size_x = GROUP) in;

uniform int u_rows; // of a strip; a multiple of ROWS

#define TEXEL_QUADS (SRC_LANES / 4)
#define STRIP (GROUP / TEXEL_QUADS) // texels that a group loads of a row
#define UNITS (STRIP - 2 * REACH)   // texels that it stores
#define LOADS ((ROWS * STRIP + GROUP - 1) / GROUP)
#define ITEMS ((ROWS * UNITS + GROUP - 1) / GROUP)

// A gap after every texel of sums spreads those that neighbours read over all banks.
#define GAP (TEXEL_QUADS > 1 ? 1 : 0)
#define STRIDE (TEXEL_QUADS + GAP)
shared uvec4 s_texel[2][ROWS * STRIP];
shared vec4 s_sum[ROWS][STRIP * STRIDE];

#if BORDER == 3
#define LOADED_TEXEL bordered_texel // what a wrapped border needs may lie outside the strip
#else
#define LOADED_TEXEL plain_texel // complete_rows() knows the border along x
#endif

uvec4 plain_texel(int tx, int row) {
    return imageLoad(i_src, ivec2(tx, row));
}

// Loads are a turn ahead of their use, so nothing may look at them here.
void load_rows(int first_texel, int first_row, out uvec4 texels[LOADS]) {
    for (int i = 0; i < LOADS; ++i) {
        int work = int(gl_LocalInvocationIndex) + i * GROUP;
        int row = border_index(first_row + work / STRIP, u_size.y);
        texels[i] = LOADED_TEXEL(first_texel + work % STRIP, row);
    }
}

void share_rows(int turn, int first_row, uvec4 texels[LOADS]) {
    for (int i = 0; i < LOADS; ++i) {
        int work = int(gl_LocalInvocationIndex) + i * GROUP;
        if (work < ROWS * STRIP) {
#if BORDER == 4
            int row = first_row + work / STRIP;
            texels[i] = row < 0 || row >= u_size.y ? u_border_texel : texels[i];
#endif
            s_texel[turn][work] = texels[i];
        }
    }
}

// The texel that is seen at texel t of a row of the strip, which lies beyond the image in part or as a whole. What no
// sum needs may be any pixel.
uvec4 seen_texel(int turn, int row, int first_texel, int t) {
    uvec4 texel = uvec4(0u);
    for (int p = 0; p < SRC_PIXELS; ++p) {
        int from = border_index((first_texel + t) * SRC_PIXELS + p, u_size.x);
        int inside = clamp(from - first_texel * SRC_PIXELS, 0, STRIP * SRC_PIXELS - 1);
        uvec4 source = from < 0 ? u_border_texel : s_texel[turn][row * STRIP + inside / SRC_PIXELS];
        for (int c = 0; c < CHANNELS; ++c) {
            put_lane(texel, p * CHANNELS + c, lane_bits(source, inside % SRC_PIXELS * CHANNELS + c));
        }
    }
    return texel;
}

void complete_rows(int turn, int first_texel) {
    for (int i = 0; i < LOADS; ++i) {
        int work = int(gl_LocalInvocationIndex) + i * GROUP;
        int t = work % STRIP;
        int x = (first_texel + t) * SRC_PIXELS;
        if (work < ROWS * STRIP && (x < 0 || x + SRC_PIXELS > u_size.x)) {
            s_texel[turn][work] = seen_texel(turn, work / STRIP, first_texel, t);
        }
    }
}

// sums[i] is what row y + i - RADIUS of the result has so far; returns the oldest.
vec4 add_row(vec4 row, inout vec4 sums[2 * RADIUS + 1]) {
    for (int i = 0; i <= 2 * RADIUS; ++i) {
        for (int l = 0; l < 4; ++l) {
            int distance = abs(i - RADIUS);
            float before = i < 2 * RADIUS ? sums[i + 1][l] : 0.0;
            sums[i][l] = add_tap(before, channel_tap(l % CHANNELS, distance, u_taps_y[distance]), row[l]);
        }
    }
    return sums[0];
}

void sum_along_x(int turn, int row, int unit) {
    float sums[UNIT_LANES];
    for (int lane = 0; lane < UNIT_LANES; ++lane) {
        sums[lane] = 0.0;
    }
    for (int t = -REACH; t <= REACH; ++t) {
        add_texel(t, s_texel[turn][row * STRIP + unit + REACH + t], sums);
    }
    for (int q = 0; q < TEXEL_QUADS; ++q) {
        s_sum[row][unit * STRIDE + q] = vec4(sums[4 * q], sums[4 * q + 1], sums[4 * q + 2], sums[4 * q + 3]);
    }
}

void store_sums(int row, int unit, int x, int y) {
    float sums[UNIT_LANES];
    for (int lane = 0; lane < UNIT_LANES; ++lane) {
        sums[lane] = s_sum[row][unit * STRIDE + lane / 4][lane % 4];
    }
    finish(sums, u_scale);
#if DST_DEPTH == 8
    uvec4 texel;
    for (int w = 0; w < 4; ++w) {
        texel[w] = bytes_of(vec4(sums[4 * w], sums[4 * w + 1], sums[4 * w + 2], sums[4 * w + 3]));
    }
    imageStore(i_dst, ivec2(x, y), texel);
#else
    store_unit(x, y, sums);
#endif
}

void main() {
    int me = int(gl_LocalInvocationIndex);
    int first_texel = int(gl_WorkGroupID.x) * UNITS - REACH;
    int first_row = int(gl_WorkGroupID.y) * u_rows;
    int rows = min(u_rows, u_size.y - first_row);
    const int lead = (2 * RADIUS + ROWS - 1) / ROWS * ROWS; // rows before the first is done, rounded up to turns
    bool at_edge = BORDER != 3 && (first_texel < 0 || (first_texel + STRIP) * SRC_PIXELS > u_size.x);
    int my_texel = int(uint(me) % uint(STRIP));
    int my_place = my_texel * STRIDE + int(uint(me) / uint(STRIP));
    vec4 sums[2 * RADIUS + 1];
    for (int i = 0; i <= 2 * RADIUS; ++i) {
        sums[i] = vec4(0.0);
    }
    int begin = first_row + RADIUS - lead;
    uvec4 next[LOADS];
    load_rows(first_texel, begin, next);
    share_rows(0, begin, next);
    load_rows(first_texel, begin + ROWS, next);
    wg_sync();
    if (at_edge) {
        complete_rows(0, first_texel);
        wg_sync();
    }
    int turn = 0;
    for (int done = -lead; done < rows + ROWS; done += ROWS) { // a turn more stores the last rows
        for (int i = 0; i < ITEMS; ++i) {
            int work = me + i * GROUP;
            int row = int(uint(work) / uint(UNITS));
            int unit = int(uint(work) % uint(UNITS));
            if (row < ROWS) {
                int before = done - ROWS + row; // these sums are read and written by this invocation alone
                if (before >= 0 && before < rows) {
                    store_sums(row, unit, first_texel + REACH + unit, first_row + before);
                }
                sum_along_x(turn, row, unit);
            }
        }
        share_rows(1 - turn, first_row + RADIUS + done + ROWS, next);
        load_rows(first_texel, first_row + RADIUS + done + 2 * ROWS, next);
        wg_sync();
        if (my_texel < UNITS) {
            for (int i = 0; i < ROWS; ++i) {
                s_sum[i][my_place] = add_row(s_sum[i][my_place], sums);
            }
        }
        if (at_edge) {
            complete_rows(1 - turn, first_texel);
        }
        wg_sync();
        turn = 1 - turn;
    }
}
