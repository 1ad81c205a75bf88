#version 430 core
#pragma optionNV(unroll all)
// Resizes a picture along both axes in one pass, with the same bits as two passes of resample.comp. A group marches
// down a strip of the source.
//
// ROWS rows of the source at a time come to shared memory, as bytes. Each invocation owns two neighbouring columns of
// the result and makes their pixels between the axes from each row. It adds them to the rows of the result that are
// under way in its registers (DOWN 1), or remembers them (DOWN 0). Finished rows pass through shared memory, as a texel
// holds four pixels.
//
// Reads   i_src       a part of the picture
//         b_first     for each two columns of the result, the first column of the source that they see
//         b_taps      the weights of that column and those after it. For every pair there are first the u_taps weights
//                     of its first column. Weights are 0 for columns that only the other one sees
//         b_windows   for each row of the result the first of its rows of the source, and the one after the last
//         b_weights   SLOTS numbers for each row of the source (DOWN 1) or of the result (DOWN 0), as in resample.comp
// Writes  i_dst       a part of the result
// Group grid          x covers the columns of the result, y its rows, u_strip a group; groups come in any order
// Shared bytes        16 * ROWS * PLANE + 16 * QUEUE * GROUP + 8 * ROWS * SLOTS, 7.5 KB at most: the more a group has, the fewer run
// Source              see resample.comp
//
// @define DOWN     0|1          1 where the picture shrinks along y
// @define SLOTS    2|4|6
// @define SHORT    0|1          lib/pair_sums.glsl
// @define TAPS     4|8|14       columns of the source that two of the result see, at most
// @define STRIP    128|288|576  that a group sees, at most
// @define FETCHED  0|1          lib/texel.glsl
#define SRC_DEPTH 8
#define DST_DEPTH 8
#define CHANNELS 4
#include "lib/texel.glsl"
#include "lib/reproducible.glsl"
#include "lib/code.glsl"
#include "lib/moved.glsl"
#include "lib/sync.glsl"
#include "lib/pair_sums.glsl"

#define GROUP 64
#define ROWS 2
layout(local_size_x = GROUP) in;

layout(rgba32ui) writeonly uniform uimage2D i_dst;

layout(std430) readonly buffer b_first { int first_column[]; };
layout(std430) readonly buffer b_taps { vec2 all_taps[]; };
layout(std430) readonly buffer b_windows { ivec2 windows[]; };
layout(std430) readonly buffer b_weights { vec2 weights[]; };

uniform ivec2 u_count; // columns and rows of the result
uniform int u_taps;
uniform int u_texels; // of a row, that a group sees at most
uniform int u_strip;  // rows of the result that a group makes

#define TEXELS (STRIP / SRC_PIXELS)
#define LOADS ((ROWS * TEXELS + GROUP - 1) / GROUP)
#define PLANE ((TEXELS + 23) / 32 * 32 + 8) // planes begin in different banks
#define QUEUE 2

shared uint s_pixels[ROWS][SRC_PIXELS * PLANE]; // planes: the first pixels of all texels, the second ones, and so on
shared uint s_done[2][QUEUE][2 * GROUP];        // rows of the result; while one half is stored the other is filled
#if DOWN == 1
#define SHARED_WEIGHTS (ROWS * SLOTS / 2)
shared vec2 s_weights[2][SHARED_WEIGHTS]; // for these rows and for the rows of the turn before
#endif

int me = int(gl_LocalInvocationIndex);
int first_of_group = int(gl_WorkGroupID.x) * GROUP;
int pair = min(first_of_group + me, (u_count.x - 1) / 2);
int first_texel = first_column[first_of_group] / SRC_PIXELS;

vec2 taps[TAPS];
int seen[SRC_PIXELS]; // where the first pixels that the invocation sees are shared

void begin_taps() {
    int pairs = (u_count.x + 1) / 2;
    for (int k = 0; k < TAPS; ++k) {
        taps[k] = k < u_taps ? all_taps[k * pairs + pair] : vec2(0.0);
    }
    int first_pixel = first_column[pair] - first_texel * SRC_PIXELS;
    for (int k = 0; k < SRC_PIXELS; ++k) {
        seen[k] = (first_pixel + k) % SRC_PIXELS * PLANE + (first_pixel + k) / SRC_PIXELS;
    }
}

ivec2 places[LOADS]; // of the texels that the invocation loads

void begin_loads() {
    for (int i = 0; i < LOADS; ++i) {
        uint work = uint(me + i * GROUP);
        places[i] = ivec2(work % uint(u_texels), work / uint(u_texels));
    }
}

void load_rows(int row, out uvec4 texels[LOADS]) {
    for (int i = 0; i < LOADS; ++i) {
        texels[i] = uvec4(0u);
        if (places[i].y < ROWS) {
            texels[i] = texel_at(ivec2(first_texel, row) + places[i]);
        }
    }
}

void share_rows(uvec4 texels[LOADS]) {
    for (int i = 0; i < LOADS; ++i) {
        if (places[i].y < ROWS) {
            for (int p = 0; p < SRC_PIXELS; ++p) {
                s_pixels[places[i].y][p * PLANE + places[i].x] = texels[i][p];
            }
        }
    }
}

// The pixels between the axes.
void sum_along_x(out vec4 sums[ROWS][2]) {
    for (int r = 0; r < ROWS; ++r) {
        sums[r][0] = vec4(0.0);
        sums[r][1] = vec4(0.0);
    }
    for (int k = 0; k < TAPS; ++k) {
        for (int r = 0; r < ROWS; ++r) {
            vec4 values = values_of(s_pixels[r][seen[k % SRC_PIXELS] + k / SRC_PIXELS]);
            sums[r][0] = add_tap(sums[r][0], taps[k].x, values);
            sums[r][1] = add_tap(sums[r][1], taps[k].y, values);
        }
    }
    for (int r = 0; r < ROWS; ++r) {
        for (int c = 0; c < 2; ++c) {
            sums[r][c] = rounded_sums(sums[r][c]) - 8388608.0;
        }
    }
}

#define HELD (2 * SLOTS)
vec4 slots[HELD]; // slot by slot, both columns of each
int queued = 0;
int queue = 0; // the half of s_done that is filled
#if DOWN == 0
vec2 next_weights[SLOTS / 2];

void load_weights(int o) {
    for (int s = 0; s < SLOTS / 2; ++s) {
        next_weights[s] = weights[min(o, u_count.y - 1) * (SLOTS / 2) + s];
    }
}
#endif

// The last slot takes `values`; the first is forgotten.
void move_slots(vec4 values[2]) {
    MOVE_ROWS(slots, SLOTS, 2, values)
}

// Row `r` of those shared, whose weights are in s_weights[turn].
void take(int turn, int r, vec4 values[2]) {
#if DOWN == 1
    for (int i = 0; i < HELD; ++i) {
        float weight = s_weights[turn][r * (SLOTS / 2) + i / 4][i / 2 % 2];
        slots[i] = add_products(slots[i], weight, values[i % 2]);
    }
#else
    move_slots(values);
#endif
}

// The sums of row `o` of the result, all of whose source rows were taken.
void give(int o, out vec4 sums[2]) {
#if DOWN == 1
    sums = vec4[2](slots[0], slots[1]);
    move_slots(vec4[2](vec4(0.0), vec4(0.0)));
#else
    sums = vec4[2](vec4(0.0), vec4(0.0));
    for (int i = 0; i < HELD; ++i) {
        sums[i % 2] = add_products(sums[i % 2], next_weights[i / 4][i / 2 % 2], slots[i]);
    }
    load_weights(o + 1);
#endif
}

// After a barrier, for all invocations: stores the rows before row `o` of the result, as many as are queued.
void store_queue(int o) {
    const int row_texels = GROUP / 2;
    for (int i = 0; i < QUEUE * row_texels; i += GROUP) {
        int row = (me + i) / row_texels;
        int texel = me % row_texels;
        if (row < queued) {
            uvec4 pixels;
            for (int p = 0; p < 4; ++p) {
                pixels[p] = s_done[queue][row][texel * 4 + p];
            }
            imageStore(i_dst, ivec2(int(gl_WorkGroupID.x) * row_texels + texel, o - queued + row), pixels);
        }
    }
    queued = 0;
    queue = 1 - queue;
}

void put(int o, vec4 sums[2]) {
    if (queued == QUEUE) {
        wg_sync();
        store_queue(o);
    }
    for (int c = 0; c < 2; ++c) {
        uint word = 0u;
        for (int i = 0; i < 4; ++i) {
            float value = product_of(sums[c][i], 1.0 / 256.0);
            word |= i < 3 ? code_of(value) << 8 * i : rounded_bits(value) << 24;
        }
        s_done[queue][queued][2 * me + c] = word;
    }
    ++queued;
}

void main() {
    int first = int(gl_WorkGroupID.y) * u_strip;
    int end = min(first + u_strip, u_count.y);
    for (int i = 0; i < HELD; ++i) {
        slots[i] = vec4(0.0);
    }
    begin_taps();
    begin_loads();
    // Windows that begin before the strip do not come out right, but they are not stored either.
    int o = first;
#if DOWN == 1
    int row = windows[first].x;
    for (; o > 0 && windows[o - 1].y > row; --o) {
    }
#else
    int row = max(windows[first].y - SLOTS, 0);
    load_weights(first);
#endif
    int stop = windows[end - 1].y;
    int next = windows[o].y;
    int after = windows[min(o + 1, end - 1)].y;
    // All that comes from buffers and pictures is loaded a turn ahead of its use.
    uvec4 ahead[LOADS];
    load_rows(row, ahead);
#if DOWN == 1
    int entry = min(me, SHARED_WEIGHTS - 1);
    vec2 weights_ahead = weights[min(row * (SLOTS / 2) + entry, weights.length() - 1)];
#endif
    int turn = 0;
    for (; row < stop; row += ROWS) {
        share_rows(ahead);
#if DOWN == 1
        if (me < SHARED_WEIGHTS) {
            s_weights[turn][me] = weights_ahead;
        }
#endif
        wg_sync();
        load_rows(row + ROWS, ahead);
#if DOWN == 1
        weights_ahead = weights[min((row + ROWS) * (SLOTS / 2) + entry, weights.length() - 1)];
#endif
        if (queued > 0) {
            store_queue(o);
        }
        vec4 between[ROWS][2];
        sum_along_x(between);
        wg_sync();
        for (int r = 0; r < ROWS; ++r) {
            take(turn, r, between[r]);
            for (; o < end && next <= row + r + 1; ++o) {
                vec4 sums[2];
                give(o, sums);
                next = after;
                after = windows[min(o + 2, end - 1)].y;
                if (o >= first) {
                    put(o, sums);
                }
            }
        }
        turn = 1 - turn;
    }
    wg_sync();
    store_queue(end);
}
