#version 430 core
// Box sums over both axes in one pass, of colour weighted by alpha: each warp marches down a strip of its own.
//
// Each invocation owns a column of texels and keeps its sums along y in words. The row that enters the box is added.
// The row that leaves it is loaded again and subtracted. Along x a warp turns a row of these sums into running sums
// that begin at the strip's left edge. A box is the difference of two of them, which stays right even if the sums wrap
// around. A single warp needs no barriers: groups of several warps, as in kinds/separable/box_strip.comp, take half as long again.
//
// Reads   i_src   the image, 4 channels of 8 bits
// Writes  i_dst   the result
// Group grid      x covers the texels, UNITS a group, y the rows, u_rows a group; groups come in any order
// Shared bytes    64 * PLANE, and the bytes of lib/lanes.glsl
// Assumes         u_radius.x < 4 * REACH, and box sums of less than 2^32
// Source          M. J. McDonnell, Box-filtering techniques, CGIP 17(1), 1981.
//
// @define BORDER  0|1|2|4   lib/border.glsl; the pixels that a wrapped border needs may lie outside the strip
// @define SHUFFLE 0|1       lib/lanes.glsl
#pragma optionNV(unroll all)
#define SRC_DEPTH 8
#define DST_DEPTH 8
#define CHANNELS 4
#define ALPHA 1
#define GROUP 32
#define LANE_SUMS uvec4
#include "lib/lanes.glsl"
#include "lib/pixel.glsl"
#include "lib/border.glsl"

uniform ivec2 u_radius;
uniform float u_scale; // 1 / pixels of the box
uniform int u_rows;

#include "lib/box_pixel.glsl"
#include "lib/box_rows.glsl"

#define REACH 4 // texels left and right of those that are stored
#define UNITS (GROUP - 2 * REACH)
#define PAD (REACH + 1) // texels beyond the strip, which lanes that store nothing read
#define PLANE (GROUP + 2 * PAD)

// Pixel p of texel t lies at p * PLANE + PAD + t, so that neighbours find theirs side by side wherever they begin.
shared uvec4 s_sums[4 * PLANE];

int place_of(int pixel) {
    return (pixel & 3) * PLANE + PAD + (pixel >> 2);
}

// Fills in the columns beyond the image from those inside.
void complete_columns(int first_texel, inout uvec4 columns[4]) {
    for (int p = 0; p < 4; ++p) {
        s_sums[place_of(p) + LANE] = columns[p];
    }
    wg_sync();
    for (int p = 0; p < 4; ++p) {
        int x = 4 * (first_texel + LANE) + p;
        if (x < 0 || x >= u_size.x) {
            int from = border_index(x, u_size.x);
            int inside = clamp(from - 4 * first_texel, 0, 4 * GROUP - 1); // farther ones are not needed
            columns[p] = from < 0 ? uvec4(0u) : s_sums[place_of(inside)]; // alpha is 0
        }
    }
    wg_sync();
}

// Sums that begin at the strip's left edge, one up to each pixel.
void share_sums(uvec4 columns[4]) {
    for (int p = 1; p < 4; ++p) {
        columns[p] += columns[p - 1];
    }
    uvec4 all;
    uvec4 before = lanes_before(columns[3], all);
    for (int p = 0; p < 4; ++p) {
        s_sums[place_of(p) + LANE] = before + columns[p];
    }
}

uvec4 box_texel() {
    uvec4 texel;
    for (int p = 0; p < 4; ++p) {
        uvec4 to = s_sums[place_of(p + u_radius.x) + LANE];
        uvec4 from = s_sums[place_of(p - u_radius.x - 1) + LANE];
        texel[p] = pixel_of(to - from);
    }
    return texel;
}

void main() {
    int first_texel = int(gl_WorkGroupID.x) * UNITS - REACH;
    int tx = first_texel + LANE;
    int begin = int(gl_WorkGroupID.y) * u_rows;
    int end = min(begin + u_rows, u_size.y);
    bool at_edge = first_texel < 0 || 4 * (first_texel + GROUP) > u_size.x;
    bool stores = LANE >= REACH && LANE < REACH + UNITS;
    uvec4 sums[4];
    sum_column(tx, begin - 1, sums);
    uvec4 incoming = row_texel(tx, begin + u_radius.y);
    uvec4 outgoing = row_texel(tx, begin - 1 - u_radius.y);
    for (int y = begin; y < end; ++y) {
        move_down(sums, settled(incoming, y + u_radius.y), settled(outgoing, y - 1 - u_radius.y));
        incoming = row_texel(tx, y + 1 + u_radius.y);
        outgoing = row_texel(tx, y - u_radius.y);
        uvec4 columns[4] = sums; // copy: the sums are written in the next turn, when these columns are done with
        if (at_edge) {
            complete_columns(first_texel, columns);
        }
        share_sums(columns);
        wg_sync();
        uvec4 texel = box_texel();
        if (stores) {
            imageStore(i_dst, ivec2(tx, y), texel);
        }
        wg_sync();
    }
}
