#version 430 core
#pragma optionNV(unroll all)
// The largest (or smallest) of the pixels under a small box, in one pass. An invocation walks down a column of texels and keeps
// the largest along x of each row that the box can reach.
//
// Reads   i_src    the image
// Writes  i_dst    the result, of the same format
// Group grid       x covers the texels of a row, y the rows, u_rows an invocation
// Shared memory    none; invocations are independent, groups come in any order.
// Source           J. Serra, Image Analysis and Mathematical Morphology, 1982: a box is a line along x, then one along y.
//
// @define RADIUS    1|2|3       of the box along both axes
// @define BORDER    0|1|2|3|4   lib/border.glsl
// @define CHANNELS  1|2|4       as stored
// @define SRC_DEPTH 8|16|32     bits of a channel
// @define KEEP      0|1         1: the last channel is kept as it is
// @define FETCHED   0|1         lib/texel.glsl
// @skip CHANNELS=1 KEEP=1
#define DST_DEPTH SRC_DEPTH
#include "lib/texel.glsl"
#include "lib/put_lane.glsl"
#include "lib/border.glsl"
#include "lib/larger.glsl"
#include "lib/kept.glsl"

#define PIXEL_BITS (CHANNELS * SRC_DEPTH)
#define REACH ((RADIUS + SRC_PIXELS - 1) / SRC_PIXELS) // texels left and right that a texel depends on
#define AROUND (2 * REACH + 1)
#define SIDE (2 * RADIUS + 1)
#define ROWS 1
#include "lib/around.glsl"

layout(local_size_x = 32, local_size_y = 4) in;

layout(rgba32ui) writeonly uniform uimage2D i_dst;

uniform int u_rows;

uint words[4 * AROUND]; // keys of a row

// The texel that begins so many pixels right of the middle one.
uvec4 texel_from(int pixel) {
    int bit = REACH * 128 + pixel * PIXEL_BITS;
    uvec4 texel;
    for (int i = 0; i < 4; ++i) {
        int at = bit / 32 + i;
        int rest = bit % 32;
        texel[i] = rest == 0 ? words[at] : words[at] >> rest | words[min(at + 1, 4 * AROUND - 1)] << (32 - rest);
    }
    return texel;
}

uvec4 largest_along_x(uvec4 texels[AROUND]) {
    for (int t = 0; t < AROUND; ++t) {
        uvec4 keys = keys_of_texel(texels[t]);
        for (int i = 0; i < 4; ++i) {
            words[4 * t + i] = keys[i];
        }
    }
    uvec4 largest = texel_from(-RADIUS);
    for (int pixel = 1 - RADIUS; pixel <= RADIUS; ++pixel) {
        largest = larger(largest, texel_from(pixel));
    }
    return largest;
}

void main() {
    int tx = int(gl_GlobalInvocationID.x);
    int begin = int(gl_GlobalInvocationID.y) * u_rows;
    int end = min(begin + u_rows, u_size.y);
    bool inside = tx * SRC_PIXELS < u_size.x;
    int left = inside ? clamp(REACH - tx, 0, AROUND) : 0;
    int right = inside ? clamp(tx + 1 + REACH - u_size.x / SRC_PIXELS, 0, AROUND) : 0;
    uvec4 rows[SIDE]; // the largest along x, the last one of row y
    for (int i = 0; i < SIDE; ++i) {
        rows[i] = uvec4(0u);
    }
    uvec4 ahead[ROWS][AROUND]; // loaded a turn before they are used
    begin_rows(tx - REACH, begin - RADIUS, ahead);
    for (int y = begin - RADIUS; y < end + RADIUS; ++y) {
        complete_rows(tx - REACH, left, right, y, ahead);
        for (int i = 0; i < SIDE - 1; ++i) {
            rows[i] = rows[i + 1];
        }
        rows[SIDE - 1] = largest_along_x(ahead[0]);
        begin_rows(tx - REACH, y + 1, ahead);
        uvec4 largest = rows[0];
        for (int i = 1; i < SIDE; ++i) {
            largest = larger(largest, rows[i]);
        }
        ivec2 at = ivec2(tx, y - RADIUS);
        uvec4 texel = with_kept(texel_of_keys(largest), at);
        imageStore(i_dst, ivec2(tx, at.y >= begin ? at.y : -1), texel);
    }
}
