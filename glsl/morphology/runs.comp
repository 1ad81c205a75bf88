#version 430 core
// The largest (or smallest) of the pixels under a shape that has one run of pixels in each row and is centred: a disk,
// a cross. Each pixel is read, several at a time: an invocation shifts a row past its texel.
//
// Reads   i_src    the image
//         b_runs   for each row of the shape how far its run reaches to each side
// Writes  i_dst    the result, of the same format
// Group grid       x covers the texels, y the rows from u_first_row to u_end_row - 1
// Shared memory    none; invocations are independent, groups come in any order.
// Source           J. Serra, Image Analysis and Mathematical Morphology, 1982: dilation is a union of shifts.
//
// @define BORDER    0|1|2|3|4   lib/border.glsl
// @define CHANNELS  1|2|4       as stored
// @define SRC_DEPTH 8|16|32     bits of a channel
// @define KEEP      0|1         1: the last channel is kept as it is
// @skip CHANNELS=1 KEEP=1
#define DST_DEPTH SRC_DEPTH
#include "lib/texel.glsl"
#include "lib/put_lane.glsl"
#include "lib/border.glsl"
#include "lib/larger.glsl"
#include "lib/kept.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

layout(rgba32ui) writeonly uniform uimage2D i_dst;
layout(std430) readonly buffer b_runs { int runs[]; };

uniform int u_radius; // along y
uniform int u_first_row;
uniform int u_end_row;

#define PIXEL_BITS (CHANNELS * SRC_DEPTH)

// Moves both texels one pixel to the left, the second into the first.
void shift(inout uvec4 texel, inout uvec4 next) {
#if PIXEL_BITS >= 32
    const int words = PIXEL_BITS / 32;
    uint all[8] = uint[](texel.x, texel.y, texel.z, texel.w, next.x, next.y, next.z, next.w);
    for (int i = 0; i < 4; ++i) {
        texel[i] = all[i + words];
        next[i] = i + words < 4 ? all[4 + i + words] : 0u;
    }
#else
    texel = texel >> PIXEL_BITS | uvec4(texel.yzw, next.x) << (32 - PIXEL_BITS);
    next = next >> PIXEL_BITS | uvec4(next.yzw, 0u) << (32 - PIXEL_BITS);
#endif
}

uvec4 keys_at(int tx, int row) {
    return keys_of_texel(bordered_texel(tx, row));
}

void main() {
    int tx = int(gl_GlobalInvocationID.x);
    int y = u_first_row + int(gl_GlobalInvocationID.y);
    uvec4 largest = uvec4(0u);
    for (int dy = -u_radius; dy <= u_radius; ++dy) {
        int row = border_index(y + dy, u_size.y);
        int reach = runs[dy + u_radius];
        int texels = (reach + SRC_PIXELS - 1) / SRC_PIXELS;
        uvec4 next = keys_at(tx - texels, row);
        for (int t = -texels; t <= texels; ++t) {
            uvec4 texel = next;
            next = keys_at(tx + t + 1, row);
            uvec4 after = next;
            for (int p = 0; p < SRC_PIXELS; ++p) {
                bool is_in = abs(t * SRC_PIXELS + p) <= reach;
                largest = larger(largest, is_in ? texel : uvec4(0u));
                shift(texel, after);
            }
        }
    }
    uvec4 result = with_kept(texel_of_keys(largest), ivec2(tx, y));
    imageStore(i_dst, ivec2(tx, y < u_end_row ? y : -1), result);
}
