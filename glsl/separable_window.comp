#version 430 core
// Both axes of a separable filter in one pass: a group marches down a strip of the image.
//
// Each of GROUP invocations owns a column of quads (four channel values side by side) and keeps the sums along y of
// the 2 RADIUS + 1 rows that are under way in registers: a new row is added to all of them, and the oldest is done.
// Finished rows go to shared memory, ROWS at a time, where each invocation sums whole texels along x and stores them.
// Every pixel is loaded once a strip, and half of the sums need no shared memory.
//
// Reads   i_src    the image
// Writes  i_dst    the result, of the same format
// Shared bytes     160 * GROUP + 128 * STRIP; groups come in any order
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

#define ROWS 4

layout(local_size_x = GROUP) in;

uniform float u_taps_x[RADIUS + 1]; // half kernels, zero beyond the radius
uniform float u_taps_y[RADIUS + 1];
uniform float u_scale; // multiplies the sums before they are stored
uniform int u_rows; // of a strip; a multiple of ROWS

#define TEXEL_QUADS (SRC_LANES / 4)
#define STRIP (GROUP / TEXEL_QUADS)                     // texels that a group loads of a row
#define REACH ((RADIUS + SRC_PIXELS - 1) / SRC_PIXELS)  // of them left and right of what it stores
#define UNITS (STRIP - 2 * REACH)
#define LOADS ((ROWS * STRIP + GROUP - 1) / GROUP)

#if SRC_DEPTH == 8
vec4 quad_values(uint q) {
    return vec4(float(q & 255u), float(bitfieldExtract(q, 8, 8)), float(bitfieldExtract(q, 16, 8)), float(q >> 24));
}
#elif SRC_DEPTH == 16
vec4 quad_values(uvec2 q) {
    return vec4(float(q.x & 65535u), float(q.x >> 16), float(q.y & 65535u), float(q.y >> 16));
}
#else
vec4 quad_values(uvec4 q) {
    return uintBitsToFloat(q);
}
#endif

// Two turns' worth of each, so that one barrier a turn is enough. A gap after every four quads spreads the whole
// texels that neighbours read over all banks.
shared uvec4 s_texel[2][ROWS * STRIP];
shared vec4 s_row[2][ROWS][GROUP / 4 * 5];

int place_of(int quad) {
    return quad + quad / 4;
}

vec4 premultiplied(vec4 v) {
#if ALPHA == 1 && CHANNELS == 4
    v.rgb *= v.a;
#elif ALPHA == 1
    v.xz *= v.yw;
#endif
    return v;
}

// Quad `quad` of row `row` of a turn.
vec4 loaded_quad(int turn, int row, int quad) {
    uvec4 texel = s_texel[turn][row * STRIP + quad / TEXEL_QUADS];
#if SRC_DEPTH == 8
    return premultiplied(quad_values(texel[quad % 4]));
#elif SRC_DEPTH == 16
    return premultiplied(quad_values(quad % 2 == 0 ? texel.xy : texel.zw));
#else
    return premultiplied(quad_values(texel));
#endif
}

// The weights of a quad's lanes: a kept channel (ALPHA 2) sees only itself.
vec4 lane_taps(float weight, int distance) {
    vec4 weights = vec4(weight);
#if ALPHA == 2 && CHANNELS == 4
    weights.w = float(distance == 0);
#elif ALPHA == 2
    weights.yw = vec2(distance == 0);
#endif
    return weights;
}

// sums[i] is what row y + i - RADIUS of the result has so far; returns the oldest.
vec4 add_row(vec4 row, inout vec4 sums[2 * RADIUS + 1]) {
    for (int i = 0; i < 2 * RADIUS; ++i) {
        sums[i] = sums[i + 1] + lane_taps(u_taps_y[abs(i - RADIUS)], i - RADIUS) * row;
    }
    sums[2 * RADIUS] = lane_taps(u_taps_y[RADIUS], RADIUS) * row;
    return sums[0];
}

void store_row(int turn, int row, int unit, int x, int y) {
    float sums[UNIT_LANES];
    for (int lane = 0; lane < UNIT_LANES; ++lane) {
        sums[lane] = 0.0;
    }
    const int reach = (RADIUS * CHANNELS + 3) / 4; // quads
    for (int q = -reach; q < TEXEL_QUADS + reach; ++q) {
        vec4 values = s_row[turn][row][place_of((unit + REACH) * TEXEL_QUADS + q)];
        for (int l = 0; l < 4; ++l) {
            int from = 4 * q + l;
            for (int to = (from + 4 * reach + 4 * CHANNELS) % CHANNELS; to < UNIT_LANES; to += CHANNELS) {
                int distance = (from - to) / CHANNELS;
                if (abs(distance) <= RADIUS) {
                    sums[to] += lane_taps(u_taps_x[abs(distance)], distance)[l] * values[l];
                }
            }
        }
    }
    for (int lane = 0; lane < UNIT_LANES; ++lane) {
        sums[lane] *= lane_taps(u_scale, 0)[lane % CHANNELS];
    }
    unpremultiply(sums);
    store_unit(x, y, sums);
}

void load_rows(int first_texel, int first_row, out uvec4 texels[LOADS]) {
    for (int i = 0; i < LOADS; ++i) {
        int work = int(gl_LocalInvocationIndex) + i * GROUP;
        int row = border_index(first_row + work / STRIP, u_size.y);
        texels[i] = bordered_texel(first_texel + work % STRIP, row);
    }
}

void share_rows(int turn, uvec4 texels[LOADS]) {
    for (int i = 0; i < LOADS; ++i) {
        int work = int(gl_LocalInvocationIndex) + i * GROUP;
        if (work < ROWS * STRIP) {
            s_texel[turn][work] = texels[i];
        }
    }
}

void main() {
    int me = int(gl_LocalInvocationIndex);
    int first_texel = int(gl_WorkGroupID.x) * UNITS - REACH;
    int first_row = int(gl_WorkGroupID.y) * u_rows;
    int rows = min(u_rows, u_size.y - first_row);
    const int lead = (2 * RADIUS + ROWS - 1) / ROWS * ROWS; // rows before the first is done, rounded up to turns
    vec4 sums[2 * RADIUS + 1];
    for (int i = 0; i <= 2 * RADIUS; ++i) {
        sums[i] = vec4(0.0);
    }
    int begin = first_row + RADIUS - lead;
    uvec4 next[LOADS];
    load_rows(first_texel, begin, next);
    share_rows(0, next);
    load_rows(first_texel, begin + ROWS, next);
    wg_sync();
    int turn = 0;
    for (int done = -lead; done < rows; done += ROWS) {
        for (int i = 0; i < ROWS; ++i) {
            s_row[turn][i][place_of(me)] = add_row(loaded_quad(turn, i, me), sums);
        }
        share_rows(1 - turn, next);
        load_rows(first_texel, first_row + RADIUS + done + 2 * ROWS, next);
        wg_sync();
        if (done >= 0) {
            for (int work = me; work < ROWS * UNITS; work += GROUP) {
                int row = work / UNITS;
                int unit = work % UNITS;
                if (done + row < rows) {
                    store_row(turn, row, unit, first_texel + REACH + unit, first_row + done + row);
                }
            }
        }
        turn = 1 - turn;
    }
}
