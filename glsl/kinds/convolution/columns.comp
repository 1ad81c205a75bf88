#version 430 core
// The second half of a kernel that is a sum of products of a row and a column: weighted sums along y of the rows that
// direct.comp made.
//
// Reads   i_src      sums along x as floats, by the row of the first product
//         i_more     the same, by the row of the second product (TERMS 2)
//         i_own      the image, whose alpha is kept with ALPHA 2
//         b_weights  the column of each product, one after the other
// Writes  i_dst      the result
// Shared memory      none; invocations are independent, groups come in any order.
//
// @define TERMS     1|2
// @define BORDER    0|1|2|3|4   lib/border.glsl
// @define CHANNELS  1|2|4       as stored
// @define DST_DEPTH 8|16|32     bits of a channel
// @define ALPHA     0|1|2       lib/pixel.glsl
// @skip CHANNELS=1 ALPHA=1
// @skip CHANNELS=1 ALPHA=2
#define SRC_DEPTH 32
#define EXACT 0
#define ROUNDS_LATER 1 // a colour divided by alpha is not stored as it is: see lib/pixel.glsl
#include "lib/pixel.glsl"
#include "lib/border.glsl"
#include "lib/weighted_sum.glsl"

#if TERMS == 2
layout(rgba32ui) readonly uniform uimage2D i_more;
uniform uvec4 u_border_more; // as u_border_texel
#endif
layout(std430) readonly buffer b_weights { float weights[]; };

uniform int u_first;     // of the column, from the pixel itself
uniform int u_count;     // its rows
uniform int u_first_row; // of this dispatch: long work comes in several

layout(local_size_x = 32, local_size_y = 4) in;

void add_texel(uvec4 texel, int t, float weight, inout float sums[UNIT_LANES]) {
    for (int lane = 0; lane < 4; ++lane) {
        sums[4 * t + lane] = add_weighted(sums[4 * t + lane], weight, uintBitsToFloat(texel[lane]));
    }
}

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy) + ivec2(0, u_first_row);
    float sums[UNIT_LANES];
    for (int lane = 0; lane < UNIT_LANES; ++lane) {
        sums[lane] = 0.0;
    }
    for (int row = 0; row < u_count; ++row) {
        int y = border_index(at.y + u_first + row, u_size.y);
        for (int t = 0; t < SRC_TEXELS; ++t) {
            ivec2 place = ivec2(at.x * SRC_TEXELS + t, y);
            add_texel(inside_texel(place.x, y), t, weights[row], sums);
#if TERMS == 2
            uvec4 more = imageLoad(i_more, place);
            add_texel(y < 0 ? u_border_more : more, t, weights[u_count + row], sums);
#endif
        }
    }
    finish_sums(at.x, at.y, sums);
    store_unit(at.x, at.y, sums);
}
