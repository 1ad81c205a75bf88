#version 430 core
// Weighted sums of the pixels around each pixel in one pass: a group marches down a strip of the image.
//
// With TERMS 0 it takes all weights of a small kernel. Each invocation owns a column of quads, and keeps the 2 RADIUS +
// 1 rows of the result that are under way in registers. It adds the pixels around its quad in a row to them. Else the
// kernel is a sum of products of a row and a column. Each invocation then first sums SPAN quads of a row along x, for
// each product, and shares the sums.
//
// Reads   i_src    the image
//         i_own    the image, whose alpha is kept with ALPHA 2
// Writes  i_dst    the result, of the same format
// Shared bytes     the bytes of lib/strip.glsl and 20 * TERMS * ROWS * RESULTS; groups come in any order
// Source           spatial filters as in Gonzalez and Woods, Digital Image Processing, 4th ed., 3.4.
//
// @define TERMS     0|1|2
// @define BORDER    0|1|2|3|4     lib/border.glsl
// @define CHANNELS  1|2|4         as stored
// @define SRC_DEPTH 8|16|32       bits of a channel
// @define ALPHA     0|1|2         lib/pixel.glsl
// @define EXACT     0|1           whether products are exact floats
// @define RADIUS    2|4|7|8|16  at least how far the kernel reaches
// @define GROUP     64|128        invocations
// @define EDGE      0|1           lib/strip.glsl
// @skip CHANNELS=1 ALPHA=1
// @skip CHANNELS=1 ALPHA=2
// @skip EXACT=1 SRC_DEPTH=16
// @skip EXACT=1 SRC_DEPTH=32
// @skip EXACT=1 ALPHA=1
// @skip EXACT=1 TERMS=1
// @skip EXACT=1 TERMS=2
// @skip TERMS=0 RADIUS=8
// @skip TERMS=0 RADIUS=16
// @skip TERMS=1 RADIUS=2
// @skip TERMS=2 RADIUS=2
// @skip TERMS=1 RADIUS=7
// @skip TERMS=2 RADIUS=7
#pragma optionNV(unroll all)
#define DST_DEPTH SRC_DEPTH
#define ROUNDS_LATER 1 // a colour divided by alpha is not stored as it is: see lib/pixel.glsl
#include "lib/sync.glsl"
#include "lib/pixel.glsl"
#include "lib/border.glsl"
#include "lib/weighted_sum.glsl"

#define ROWS 4
#define SPAN 4
#define HELD (TERMS == 0 ? 2 * ROWS : ROWS) // results are made of rows while others come in
#define REACH ((RADIUS * CHANNELS + 15) / 16 * 4) // quads, so that spans are whole
#define SIDE (2 * RADIUS + 1)
#define REACH_QUADS ((RADIUS * CHANNELS + 3) / 4) // the part of REACH that holds weights
#define UNROLLED 0 // a row is long enough
#include "lib/strip.glsl"

// Arrays of single numbers, and loops whose bounds are constants: NVIDIA's compiler takes minutes for components of
// vectors that are chosen by number.
float sums[4 * SIDE]; // the sums so far of the lanes of rows y - RADIUS to y + RADIUS

#if TERMS == 0
#define ROW_QUADS ((SIDE + 3) / 4)
uniform vec4 u_weights[SIDE * ROW_QUADS]; // by rows of whole quads, zero beyond the kernel
#endif

void begin_sums() {
    for (int i = 0; i < 4 * SIDE; ++i) {
        sums[i] = 0.0;
    }
}

bool is_kept(int lane) {
    return ALPHA == 2 && lane % CHANNELS == CHANNELS - 1;
}

vec4 premultiplied_quad(uvec4 texel, int quad) {
#if SRC_DEPTH == 8
    uvec2 words = (quad & 2) != 0 ? texel.zw : texel.xy;
    uint word = (quad & 1) != 0 ? words.y : words.x;
    return premultiplied(vec4(word & 255u, word >> 8 & 255u, word >> 16 & 255u, word >> 24));
#elif SRC_DEPTH == 16
    uvec2 words = (quad & 1) != 0 ? texel.zw : texel.xy;
    return premultiplied(vec4(words.x & 0xffffu, words.x >> 16, words.y & 0xffffu, words.y >> 16));
#else
    return premultiplied(vec4(float_of_bits(texel.x), float_of_bits(texel.y), float_of_bits(texel.z), float_of_bits(texel.w)));
#endif
}

vec4 shared_quad(int row, int quad) {
    return premultiplied_quad(s_texel[row][quad / QUADS], quad % QUADS);
}

#if TERMS == 0
void share_sums(int slot) {}

void load_weights(int row, out float weights[4 * ROW_QUADS]) {
    for (int q = 0; q < ROW_QUADS; ++q) {
        vec4 quad = u_weights[row * ROW_QUADS + q];
        weights[4 * q] = quad.x;
        weights[4 * q + 1] = quad.y;
        weights[4 * q + 2] = quad.z;
        weights[4 * q + 3] = quad.w;
    }
}

// Adds a row to all that see it, and makes room for a new row of the result.
void add_row(int slot, int row, int me) {
    float around[4 * (2 * REACH_QUADS + 1)];
    for (int q = 0; q <= 2 * REACH_QUADS; ++q) {
        vec4 values = shared_quad(slot + row, REACH - REACH_QUADS + me + q);
        around[4 * q] = values.x;
        around[4 * q + 1] = values.y;
        around[4 * q + 2] = values.z;
        around[4 * q + 3] = values.w;
    }
    for (int i = 0; i < SIDE; ++i) {
        float weights[4 * ROW_QUADS];
        load_weights(SIDE - 1 - i, weights);
        for (int lane = 0; lane < 4; ++lane) {
            float sum = i < SIDE - 1 ? sums[4 * (i + 1) + lane] : 0.0;
            for (int k = 0; k < SIDE; ++k) {
                sum = add_weighted(sum, weights[k], around[4 * REACH_QUADS + lane + (k - RADIUS) * CHANNELS]);
            }
            sums[4 * i + lane] = is_kept(lane) ? 0.0 : sum;
        }
    }
}
#else
#define PLACE(quad) ((quad) + (quad) / SPAN) // a gap after every span spreads the quads that neighbours read over all banks
shared vec4 s_sums[TERMS][ROWS][PLACE(RESULTS)];

uniform float u_row_taps[TERMS * SIDE]; // of each product, zero beyond the kernel
uniform float u_column_taps[TERMS * SIDE];

void sum_along_x(int slot, int row, int span) {
    float around[4 * (SPAN + 2 * REACH_QUADS)];
    for (int q = 0; q < SPAN + 2 * REACH_QUADS; ++q) {
        int quad = SPAN * span + REACH - REACH_QUADS + q;
        vec4 values = shared_quad(slot + row, quad);
        around[4 * q] = values.x;
        around[4 * q + 1] = values.y;
        around[4 * q + 2] = values.z;
        around[4 * q + 3] = values.w;
    }
    for (int term = 0; term < TERMS; ++term) {
        float along[4 * SPAN];
        for (int lane = 0; lane < 4 * SPAN; ++lane) {
            along[lane] = 0.0;
            for (int k = 0; k < SIDE; ++k) {
                along[lane] = add_weighted(along[lane], u_row_taps[term * SIDE + k], around[4 * REACH_QUADS + lane + (k - RADIUS) * CHANNELS]);
            }
        }
        for (int q = 0; q < SPAN; ++q) {
            s_sums[term][row][PLACE(SPAN) * span + q] = vec4(along[4 * q], along[4 * q + 1], along[4 * q + 2], along[4 * q + 3]);
        }
    }
}

void share_sums(int slot) {
    const int spans = RESULTS / SPAN;
    int me = int(gl_LocalInvocationIndex);
    if (me < ROWS * spans) {
        sum_along_x(slot, int(uint(me) / uint(spans)), int(uint(me) % uint(spans)));
    }
}

void add_row(int slot, int row, int me) {
    float along[4 * TERMS];
    for (int term = 0; term < TERMS; ++term) {
        vec4 values = s_sums[term][row][PLACE(me)];
        along[4 * term] = values.x;
        along[4 * term + 1] = values.y;
        along[4 * term + 2] = values.z;
        along[4 * term + 3] = values.w;
    }
    for (int i = 0; i < SIDE; ++i) {
        for (int lane = 0; lane < 4; ++lane) {
            float sum = i < SIDE - 1 ? sums[4 * (i + 1) + lane] : 0.0;
            for (int term = 0; term < TERMS; ++term) {
                sum = add_weighted(sum, u_column_taps[term * SIDE + SIDE - 1 - i], along[4 * term + lane]);
            }
            sums[4 * i + lane] = is_kept(lane) ? 0.0 : sum;
        }
    }
}
#endif

vec4 result_of(int slot, int i, int me, ivec2 at) {
    add_row(slot, i, me);
    vec4 result = finished_sums(4 * at.x, at.y, vec4(sums[0], sums[1], sums[2], sums[3]));
    return DST_DEPTH == 8 ? clamp(result, 0.0, 255.0) : result;
}
