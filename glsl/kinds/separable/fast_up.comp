#version 430 core
// Fast Gaussian blur, second half: makes every pixel from the WIDTH x WIDTH samples around it.
//
// A group marches down a strip of the result. A row of samples comes to shared memory. Each invocation spreads it along
// x over its column of texels and keeps the WIDTH rows around it in registers. Rows of the result are made from these.
//
// Reads   i_src      samples
//         i_own      the image, for SHARPEN, and whose alpha is kept with ALPHA 2
//         u_taps_x   weights of the samples around a pixel: WIDTH for each of its places in the stride
//         u_taps_y
// Writes  i_dst      the result
// Group grid         x covers the texels of the result, GROUP a group, y the rows, u_rows a group, a multiple of the
//                    stride; groups come in any order
// Shared bytes       4 * GROUP * DST_LANES + 128 * (WIDTH + SPAN) + 256 at most
// Source             P. Burt, Fast filter transforms for image processing, CGIP 16(1), 1981. See kinds/separable/fast_axis.hpp.
//
// @define CHANNELS  1|2|4        as stored
// @define SRC_DEPTH 16|32        of samples
// @define DST_DEPTH 8|16|32      bits of a channel
// @define ALPHA     0|1|2        lib/pixel.glsl
// @define WIDTH     5|6          samples along each axis
// @define SHARPEN   0|1          whether it ends with lib/unsharp.glsl
// @define SPAN      0|1|3        how many more samples 4 pixels, or all of a texel, see than each of them does
// @define GROUP     128|256      invocations
// @define PAIRED    0|1          lib/paired_rows.glsl
// @skip DST_DEPTH=8 PAIRED=1
// @skip CHANNELS=1 ALPHA=1
// @skip CHANNELS=1 ALPHA=2
// @skip SRC_DEPTH=16 ALPHA=1
// @skip SRC_DEPTH=16 SHARPEN=1
// @skip SRC_DEPTH=16 DST_DEPTH=16
// @skip SRC_DEPTH=16 DST_DEPTH=32
// @skip GROUP=256 DST_DEPTH=8
// @skip GROUP=256 DST_DEPTH=16
// @skip GROUP=128 DST_DEPTH=32
#pragma optionNV(unroll all)
#include "lib/paired_rows.glsl"
#include "lib/sync.glsl"
#include "lib/pixel.glsl"
#include "lib/pixel_vector.glsl"
#include "lib/means.glsl"
#include "lib/moved.glsl"

layout(local_size_x = GROUP) in;

uniform float u_taps_x[8 * WIDTH];
uniform float u_taps_y[8 * WIDTH];
uniform ivec2 u_stride;
uniform ivec2 u_first; // the first sample that pixel 0 depends on
uniform int u_rows;

// UNIT_LANES of lib/pixel.glsl are the lanes of a texel of the result, as samples are no smaller.
#define MOST_SAMPLES (GROUP * UNIT_PIXELS + WIDTH + 2 * SRC_PIXELS + 2)
#define BLOCK (UNIT_PIXELS < 4 ? UNIT_PIXELS : 4) // pixels that are spread at once
#define SEEN (WIDTH + SPAN)
shared PIXEL s_samples[MOST_SAMPLES];
shared vec4 s_weights[8 * SEEN];

// `mine` is the first texel of the row that is this invocation's to share; it was loaded a turn ahead.
void share_samples(int first_texel, int texels, int row, uvec4 mine) {
    int me = int(gl_LocalInvocationIndex);
    for (int item = me; item < texels; item += GROUP) {
        uvec4 texel = item == me ? mine : imageLoad(i_src, ivec2(first_texel + item, row));
        for (int p = 0; p < SRC_PIXELS; ++p) {
            vec4 values = vec4(0.0);
            for (int c = 0; c < CHANNELS; ++c) {
                values[c] = lane_value(texel, p * CHANNELS + c);
            }
            s_samples[item * SRC_PIXELS + p] = pixel_of(values);
        }
    }
}

// The weights of the samples around pixels that lie side by side, zero where a pixel does not see a sample. There is
// one set for each place in the stride at which the first pixel may lie.
void share_weights() {
    for (int item = int(gl_LocalInvocationIndex); item < u_stride.x * SEEN; item += GROUP) {
        int first = int(uint(item) / uint(SEEN));
        vec4 weights = vec4(0.0);
        for (int p = 0; p < BLOCK; ++p) {
            int strides = int(uint(first + p) / uint(u_stride.x));
            int tap = item - first * SEEN - strides;
            weights[p] = tap >= 0 && tap < WIDTH ? u_taps_x[(first + p - strides * u_stride.x) * WIDTH + tap] : 0.0;
        }
        s_weights[item] = weights;
    }
}

// Makes the pixels of a unit from a row of samples. The unit's first pixel is at `phase` of the stride and sees the
// samples from `first`.
void spread_row(int first, int phase, out float row[UNIT_LANES]) {
    for (int begin = 0; begin < UNIT_PIXELS; begin += BLOCK) {
        int strides = int(uint(phase + begin) / uint(u_stride.x));
        int from = first + strides;
        int weight = (phase + begin - strides * u_stride.x) * SEEN;
        PIXEL sums[BLOCK];
        for (int p = 0; p < BLOCK; ++p) {
            precise PIXEL product = PIXEL(s_weights[weight][p]) * s_samples[from];
            sums[p] = product;
        }
        for (int i = 1; i < SEEN; ++i) {
            PIXEL value = s_samples[from + i];
            vec4 weights = s_weights[weight + i];
            for (int p = 0; p < BLOCK; ++p) {
                sums[p] = add_products(sums[p], weights[p], value);
            }
        }
        for (int p = 0; p < BLOCK; ++p) {
            vec4 values = vec4_of(sums[p]);
            for (int c = 0; c < CHANNELS; ++c) {
                row[(begin + p) * CHANNELS + c] = values[c];
            }
        }
    }
}

// A texel of row y of the result, at `phase` of the stride.
uvec4 texel_of_row(int unit, int y, int phase, float rows[WIDTH * UNIT_LANES]) {
    float sums[UNIT_LANES];
    for (int lane = 0; lane < UNIT_LANES; ++lane) {
        sums[lane] = product_of(u_taps_y[phase * WIDTH], rows[lane]);
    }
    for (int i = 1; i < WIDTH; ++i) {
        float weight = u_taps_y[phase * WIDTH + i];
        for (int lane = 0; lane < UNIT_LANES; ++lane) {
            sums[lane] = add_product(sums[lane], weight, rows[i * UNIT_LANES + lane]);
        }
    }
    finish_means(unit, y, sums);
    return texel_of_means(sums, 0);
}

void main() {
    int me = int(gl_LocalInvocationIndex);
    share_weights();
    int strip = int(gl_WorkGroupID.x) * GROUP * UNIT_PIXELS; // its first pixel
    int strip_stride = strip / u_stride.x;
    int skipped = (u_first.x + strip_stride) % SRC_PIXELS;
    int first_texel = (u_first.x + strip_stride) / SRC_PIXELS;
    int texels = (GROUP * UNIT_PIXELS / u_stride.x + WIDTH + 2 + 2 * SRC_PIXELS) / SRC_PIXELS;
    int my_stride = (strip + me * UNIT_PIXELS) / u_stride.x;
    int my_phase = strip + me * UNIT_PIXELS - my_stride * u_stride.x;
    int my_sample = skipped + my_stride - strip_stride;

    int unit = int(gl_WorkGroupID.x) * GROUP + me;
    int begin = int(gl_WorkGroupID.y) * u_rows;
    int end = min(begin + u_rows, u_size.y);
    int y = begin;
    int row = u_first.y + y / u_stride.y;
    float rows[WIDTH * UNIT_LANES]; // one after another
    uvec4 next = imageLoad(i_src, ivec2(first_texel + me, row));
    for (int ahead = WIDTH - 1; y < end; --ahead) {
        wg_sync();
        share_samples(first_texel, texels, row++, next);
        next = imageLoad(i_src, ivec2(first_texel + me, row));
        wg_sync();
        MAKE_ROOM(rows, WIDTH, UNIT_LANES, 1)
        float spread[UNIT_LANES];
        spread_row(my_sample, my_phase, spread);
        PUT_ROW(rows, WIDTH - 1, UNIT_LANES, spread)
        int last = ahead > 0 ? y : min(y + u_stride.y, end);
        for (int phase = 0; y < last; ++y, ++phase) {
            Stores now = stores_of(unit, y, begin, end, texel_of_row(unit, y, phase, rows));
            STORE_ROW(i_dst, now)
        }
    }
}
