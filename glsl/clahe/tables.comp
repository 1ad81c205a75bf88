#version 430 core
// Adaptive equalisation: a look-up table for each tile. Counts above a limit are clipped, and the clipped pixels are spread over all
// codes alike. The rest of that division goes to single codes, equally far apart. The sums of these counts, scaled, are the table.
//
// Reads   b_counts  clahe/count.comp
// Writes  b_tables  with 16 bits: an entry for each code of each tile
//                   with 8 bits: a table for each four tiles that meet at a corner. An entry has four bytes, of the tiles left
//                   above, right above, left below and right below. At the edges of the image the nearest tiles take the places
//                   of those that are missing.
// Group grid        a group a table: x the tables of a row, y the rows
// Shared bytes      1024; groups come in any order
// Source            see clahe/count.comp; the order of the steps is OpenCV's
//
// @define SRC_DEPTH 8|16   bits of a code
#define GROUP 256
#define QUADS 1
#define FLOAT 0
#define SUBGROUP 0
#define DST_DEPTH SRC_DEPTH
#include "lib/wg_scan.glsl"
#include "lib/reproducible.glsl"
#include "lib/code.glsl"

layout(local_size_x = GROUP) in;

layout(std430) readonly buffer b_counts { uint counts[]; };
layout(std430) writeonly buffer b_tables { uint tables[]; };

uniform ivec2 u_tiles;
uniform uint u_limit;  // of a count
uniform uint u_pixels; // of a tile
uniform float u_scale; // largest code / pixels of a tile

#define BINS (1u << SRC_DEPTH)
#define EACH (BINS / uint(GROUP)) // codes of an invocation

struct Spread {
    uint all;  // what every code gets
    uint rest; // codes that get one more
    uint apart; // how far they lie from each other
};

Spread spread_of(uint clipped) {
    uint all = clipped / BINS;
    uint rest = clipped - all * BINS;
    return Spread(all, rest, rest > 0u ? BINS / rest : 1u);
}

uint entry_of(uint sum, uint code, Spread spread) {
    uint whole = sum + spread.all * (code + 1u) + min(code / spread.apart + 1u, spread.rest);
    return code_of(product_of(float_of(whole), u_scale));
}

uint clipped_count(uint tile, uint code) {
    return min(counts[tile * BINS + code], u_limit);
}

// The sum of the clipped counts before an invocation's codes, and the spread. For all invocations at once.
uint sum_before(uint tile, out Spread spread) {
    uint sums[1];
    sums[0] = 0u;
    for (uint k = 0u; k < EACH; ++k) {
        sums[0] += clipped_count(tile, gl_LocalInvocationIndex * EACH + k);
    }
    uint all = wg_scan(sums);
    spread = spread_of(u_pixels - all);
    return sums[0];
}

void main() {
    uint place = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    Spread spread;
#if SRC_DEPTH == 8
    uint entries = 0u;
    uint code = gl_LocalInvocationIndex;
    for (int corner = 0; corner < 4; ++corner) {
        ivec2 at = clamp(ivec2(gl_WorkGroupID.xy) - 1 + ivec2(corner & 1, corner >> 1), ivec2(0), u_tiles - 1);
        uint tile = uint(at.y * u_tiles.x + at.x);
        uint sum = sum_before(tile, spread) + clipped_count(tile, code);
        entries |= entry_of(sum, code, spread) << corner * 8;
    }
    tables[place * BINS + code] = entries;
#else
    uint sum = sum_before(place, spread);
    for (uint k = 0u; k < EACH; ++k) {
        uint code = gl_LocalInvocationIndex * EACH + k;
        sum += clipped_count(place, code);
        tables[place * BINS + code] = entry_of(sum, code, spread);
    }
#endif
}
