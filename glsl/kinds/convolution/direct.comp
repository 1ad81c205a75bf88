#version 430 core
// Weighted sums of the pixels around each pixel. With SUMS 0, by all weights of a kernel. With SUMS 1, by one of its
// rows, as the first half of a kernel that is a product of two.
//
// Each invocation sums the neighbours of one unit, from left to right, then from top to bottom.
//
// Reads   i_src      the image
//         b_weights  rows of u_pitch weights, the first after 2 * UNIT_PIXELS zeros, and as many zeros or more after them
// Writes  i_dst      the result (SUMS 0), or sums as floats (SUMS 1)
// Shared memory      none; invocations are independent, groups come in any order.
// Source             spatial filters as in Gonzalez and Woods, Digital Image Processing, 4th ed., 3.4.
//
// @define SUMS      0|1
// @define BORDER    0|1|2|3|4   lib/border.glsl
// @define CHANNELS  1|2|4       as stored
// @define SRC_DEPTH 8|16|32     bits of a channel
// @define DST_DEPTH 8|16|32
// @define EXACT     0|1         whether products are exact floats
// @define ALPHA     0|1|2       lib/pixel.glsl
// @skip CHANNELS=1 ALPHA=1
// @skip CHANNELS=1 ALPHA=2
// @skip SRC_DEPTH=8 DST_DEPTH=16
// @skip SRC_DEPTH=16 DST_DEPTH=8
// @skip SRC_DEPTH=32 DST_DEPTH=8
// @skip SRC_DEPTH=32 DST_DEPTH=16
// @skip EXACT=1 SRC_DEPTH=16
// @skip EXACT=1 SRC_DEPTH=32
// @skip EXACT=1 ALPHA=1
// @skip SUMS=1 DST_DEPTH=8
// @skip SUMS=1 DST_DEPTH=16
#define ROUNDS_LATER 1 // a colour divided by alpha is not stored as it is: see lib/pixel.glsl
#include "lib/pixel.glsl"
#include "lib/border.glsl"
#include "lib/weighted_sum.glsl"

layout(std430) readonly buffer b_weights { float weights[]; };

uniform ivec2 u_first; // of the kernel, from the pixel itself
uniform ivec2 u_count; // its columns and rows
uniform int u_pitch;
uniform int u_first_row; // of this dispatch: long work comes in several

layout(local_size_x = 16, local_size_y = 8) in;

int unit_of(int pixel) {
    const int far = 1 << 17; // so that nothing negative is divided
    return (pixel + far * UNIT_PIXELS) / UNIT_PIXELS - far;
}

void read_unit(int unit, int y, out float values[UNIT_LANES]) {
    for (int t = 0; t < SRC_TEXELS; ++t) {
        uvec4 texel = bordered_texel(unit * SRC_TEXELS + t, y);
        for (int lane = 0; lane < SRC_LANES; ++lane) {
            values[t * SRC_LANES + lane] = lane_value(texel, lane);
        }
    }
    premultiply(values);
}

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy) + ivec2(0, u_first_row);
    float sums[UNIT_LANES];
    for (int lane = 0; lane < UNIT_LANES; ++lane) {
        sums[lane] = 0.0;
    }
    for (int row = 0; row < u_count.y; ++row) {
        int y = border_index(at.y + u_first.y + row, u_size.y);
        for (int u = unit_of(u_first.x); u <= unit_of(u_first.x + u_count.x - 1 + UNIT_PIXELS - 1); ++u) {
            float values[UNIT_LANES];
            read_unit(at.x + u, y, values);
            int base = row * u_pitch + u * UNIT_PIXELS - u_first.x + 2 * UNIT_PIXELS; // of distance 0
            float seen[2 * UNIT_PIXELS - 1]; // weights of all distances between pixels of the two units
            for (int i = 0; i < 2 * UNIT_PIXELS - 1; ++i) {
                seen[i] = weights[base + i - (UNIT_PIXELS - 1)];
            }
            for (int from = 0; from < UNIT_PIXELS; ++from) {
                for (int to = 0; to < UNIT_PIXELS; ++to) {
                    float weight = seen[UNIT_PIXELS - 1 + from - to];
                    for (int c = 0; c < CHANNELS; ++c) {
                        int lane = to * CHANNELS + c;
                        sums[lane] = add_weighted(sums[lane], weight, values[from * CHANNELS + c]);
                    }
                }
            }
        }
    }
#if SUMS == 0
    finish_sums(at.x, at.y, sums);
#endif
    store_unit(at.x, at.y, sums);
}
