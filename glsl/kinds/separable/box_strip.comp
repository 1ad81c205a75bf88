#version 430 core
// Box sums over both axes in one pass, at a cost that hardly grows with the radius: a group marches down a strip.
//
// Each invocation owns a column of texels and keeps its sums along y, packed in pairs (ALPHA 0). The row that enters
// the box is added. The row that leaves it is loaded again and subtracted. In each turn, ROWS rows of these sums go to
// shared memory, where each warp walks along SPAN times 32 texels of a row. It takes the prefix sums of the values that
// enter minus those that leave, and adds the box before the first pixel: these are the boxes. Sums are whole numbers,
// below 2^24 where they are floats, so they are exact.
//
// Reads   i_src   the image, 4 channels of 8 bits
// Writes  i_dst   the result
// Group grid      x covers the texels, UNITS a group, y the rows, u_rows a group; groups come in any order
// Shared bytes    32 * ROWS * (GROUP + 4), twice that with ALPHA 1, and the bytes of lib/lanes.glsl
// Assumes         u_radius.y <= 128, u_radius.x < 4 * REACH, and box sums of less than 2^24; 2^32 with ALPHA 1
// Source          M. J. McDonnell, Box-filtering techniques, CGIP 17(1), 1981.
//
// @define BORDER  0|1|2|4   lib/border.glsl; the pixels that a wrapped border needs may lie outside the strip
// @define ALPHA   0|1       lib/pixel.glsl
// @define GROUP   160|320   invocations; texels that a group loads of a row
// @define UNITS   128|256   texels that it stores of them
// @define SHUFFLE 0|1       lib/lanes.glsl
// @skip GROUP=160 UNITS=256
// @skip GROUP=320 UNITS=128
#pragma optionNV(unroll all)
#define SRC_DEPTH 8
#define DST_DEPTH 8
#define CHANNELS 4
#if ALPHA == 1
#define LANE_SUMS uvec4
#define SUMS uvec4 // R, G and B, each times A, and A
#else
#define LANE_SUMS vec4
#define SUMS uvec2 // R and B, G and A
#endif
#include "lib/lanes.glsl"
#include "lib/pixel.glsl"
#include "lib/border.glsl"

uniform ivec2 u_radius;
uniform float u_scale;    // 1 / pixels of the box
uniform uint u_outside;   // sum of a column of a constant border's colour
uniform int u_rows;

#if ALPHA == 1
#include "lib/box_pixel.glsl"
#else
SUMS weighed(uint pixel) {
    return uvec2(pixel, pixel >> 8) & 0x00ff00ffu;
}
#endif
#include "lib/box_rows.glsl"

#if ALPHA == 1
#define ROWS 1
#else
#define ROWS 2
#endif
#define SPAN 2
#define REACH ((GROUP - UNITS) / 2) // texels left and right of those that are stored
#define PARTS (UNITS / (32 * SPAN)) // of a row
#define ITEMS (ROWS * PARTS)        // of a turn, one for a warp
#define WARPS (GROUP / 32)
#define PLANE (GROUP + 4)
#define MAGIC 12582912.0 // 1.5 * 2^23: its bits plus a whole number are the bits of their sum

// Pixel p of texel t lies at p * PLANE + t, so that neighbours find theirs side by side wherever they begin.
shared SUMS s_columns[ROWS * 4 * PLANE];

int place_of(int pixel) {
    return (pixel & 3) * PLANE + (pixel >> 2);
}

// The sums of a column beyond a constant border, whose alpha is 0.
SUMS outside_sums() {
#if ALPHA == 1
    return uvec4(0u);
#else
    return uvec2(u_outside * 65537u, u_outside);
#endif
}

// Fills in the columns beyond the image from those inside.
void complete_columns(int first_texel) {
    int me = int(gl_LocalInvocationIndex);
    for (int p = 0; p < 4; ++p) {
        int x = 4 * (first_texel + me) + p;
        if (x < 0 || x >= u_size.x) {
            int from = border_index(x, u_size.x);
            int inside = clamp(from - 4 * first_texel, 0, 4 * GROUP - 1); // farther ones are not needed
            for (int row = 0; row < ROWS; ++row) {
                SUMS sums = s_columns[row * 4 * PLANE + place_of(inside)];
                s_columns[row * 4 * PLANE + p * PLANE + me] = from < 0 ? outside_sums() : sums;
            }
        }
    }
}

uvec4 by_channel(SUMS sums) {
#if ALPHA == 1
    return sums;
#else
    return uvec4(sums & 65535u, sums >> 16);
#endif
}

// The sums of the box before the pixel at `place`, a whole texel's first.
LANE_SUMS box_before(int base, int pixel) {
    uvec4 sums = uvec4(0u);
    for (int i = LANE; i <= 2 * u_radius.x; i += 32) {
        sums += by_channel(s_columns[base + place_of(pixel - 1 - u_radius.x + i)]);
    }
    return sum_of_lanes(LANE_SUMS(sums));
}

// Loads the rows that enter and leave the sums of row y and the rows below it.
void load_rows(int tx, int y, out uvec4 incoming[ROWS], out uvec4 outgoing[ROWS]) {
    for (int i = 0; i < ROWS; ++i) {
        incoming[i] = row_texel(tx, y + i + u_radius.y);
        outgoing[i] = row_texel(tx, y + i - 1 - u_radius.y);
    }
}

void share_rows(int y, uvec4 incoming[ROWS], uvec4 outgoing[ROWS], inout SUMS sums[4]) {
    for (int i = 0; i < ROWS; ++i) {
        move_down(sums, settled(incoming[i], y + i + u_radius.y), settled(outgoing[i], y + i - 1 - u_radius.y));
        for (int p = 0; p < 4; ++p) {
            s_columns[(i * 4 + p) * PLANE + gl_LocalInvocationIndex] = sums[p];
        }
    }
}

// The four pixels of the texel at `place`; `carry` is the box before it, and then the one after its warp.
#if ALPHA == 1
uvec4 box_texel(int place, inout uvec4 carry) {
    uvec4 boxes[4];
    uvec4 sums = uvec4(0u);
    for (int p = 0; p < 4; ++p) {
        sums += s_columns[place + place_of(p + u_radius.x)] - s_columns[place + place_of(p - u_radius.x - 1)];
        boxes[p] = sums;
    }
    uvec4 all;
    uvec4 before = carry + lanes_before(boxes[3], all);
    carry += all;
    uvec4 texel;
    for (int p = 0; p < 4; ++p) {
        texel[p] = pixel_of(boxes[p] + before);
    }
    return texel;
}
#else
uvec4 box_texel(int place, inout vec4 carry) {
    // Sums of even and odd pairs, and of the upper halves; the bits of MAGIC make floats of them.
    uvec2 pairs = uvec2(floatBitsToUint(MAGIC));
    uvec2 upper = uvec2(floatBitsToUint(MAGIC));
    vec4 boxes[4];
    for (int p = 0; p < 4; ++p) {
        uvec2 more = s_columns[place + place_of(p + u_radius.x)];
        uvec2 less = s_columns[place + place_of(p - u_radius.x - 1)];
        pairs += more - less;
        upper += (more >> 16) - (less >> 16);
        boxes[p] = uintBitsToFloat(uvec4(pairs - (upper << 16), upper)); // R G B A
    }
    vec4 all;
    vec4 before = carry - MAGIC + lanes_before(boxes[3] - MAGIC, all);
    carry += all;
    uvec4 texel;
    for (int p = 0; p < 4; ++p) {
        precise vec4 means = (boxes[p] + before) * u_scale; // a product that is rounded before bytes_of() adds to it
        texel[p] = bytes_of(means);
    }
    return texel;
}
#endif

// Along x: stores the boxes of SPAN times 32 texels, which begin at `first_unit`, of a row of the turn. It goes to row
// y of the result.
void store_part(int row, int first_unit, int first_texel, int y, bool keep) {
    int base = row * 4 * PLANE;
    LANE_SUMS carry = box_before(base, 4 * first_unit);
    for (int s = 0; s < SPAN; ++s) {
        int unit = first_unit + 32 * s + LANE;
        uvec4 texel = box_texel(base + unit, carry);
        if (keep) {
            imageStore(i_dst, ivec2(first_texel + unit, y), texel);
        }
    }
}

void main() {
    int first_texel = int(gl_WorkGroupID.x) * UNITS - REACH;
    int tx = first_texel + int(gl_LocalInvocationIndex);
    int begin = int(gl_WorkGroupID.y) * u_rows;
    int end = min(begin + u_rows, u_size.y);
    bool at_edge = first_texel < 0 || 4 * (first_texel + GROUP) > u_size.x;
    SUMS sums[4];
    sum_column(tx, begin - 1, sums);
    uvec4 incoming[ROWS];
    uvec4 outgoing[ROWS];
    load_rows(tx, begin, incoming, outgoing);
    for (int y = begin; y < end; y += ROWS) {
        share_rows(y, incoming, outgoing, sums);
        load_rows(tx, y + ROWS, incoming, outgoing);
        wg_sync();
        if (at_edge) {
            complete_columns(first_texel);
            wg_sync();
        }
        for (int item = WARP; item < (ITEMS + WARPS - 1) / WARPS * WARPS; item += WARPS) {
#if SHUFFLE == 1
            if (item >= ITEMS) {
                break;
            }
#endif
            int part = min(item, ITEMS - 1);
            int row = part / PARTS;
            store_part(row, REACH + part % PARTS * (32 * SPAN), first_texel, y + row, item < ITEMS && y + row < end);
        }
        wg_sync();
    }
}
