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
// @define HIDES     0|1    whether tiles may have counted fewer pixels than they have
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

// The same of a tile, by the pixels that were counted.
struct Tile {
    uint pixels;
    uint limit;
    float scale;
};

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

// A tile without a visible pixel leaves codes as they are.
uint entry_of(uint sum, uint code, Spread spread, Tile own) {
    uint whole = sum + spread.all * (code + 1u) + min(code / spread.apart + 1u, spread.rest);
    return HIDES == 1 && own.pixels == 0u ? code : code_of(product_of(float_of(whole), own.scale));
}

uint clipped_count(uint tile, uint code, uint limit) {
    return min(counts[tile * BINS + code], limit);
}

// The sum of the clipped counts before an invocation's codes, and of all. For all invocations at once.
uint sum_before(uint tile, uint limit, out uint all) {
    uint sums[1];
    sums[0] = 0u;
    for (uint k = 0u; k < EACH; ++k) {
        sums[0] += clipped_count(tile, gl_LocalInvocationIndex * EACH + k, limit);
    }
    all = wg_scan(sums);
    return sums[0];
}

// For all invocations at once.
Tile tile_of(uint tile) {
    Tile own = Tile(u_pixels, u_limit, u_scale);
#if HIDES == 1
    const uint none = 0xffffffffu;
    sum_before(tile, none, own.pixels);
    if (own.pixels < u_pixels) {
        float share = product_of(float_of(own.pixels), reciprocal(float_of(u_pixels)));
        own.limit = u_limit == none ? none : max(uint(product_of(float_of(u_limit), share)), 1u);
        own.scale = product_of(float(BINS - 1u), reciprocal(float_of(max(own.pixels, 1u))));
    }
#endif
    return own;
}

void main() {
    uint place = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    uint all;
#if SRC_DEPTH == 8
    uint entries = 0u;
    uint code = gl_LocalInvocationIndex;
    for (int corner = 0; corner < 4; ++corner) {
        ivec2 at = clamp(ivec2(gl_WorkGroupID.xy) - 1 + ivec2(corner & 1, corner >> 1), ivec2(0), u_tiles - 1);
        uint tile = uint(at.y * u_tiles.x + at.x);
        Tile own = tile_of(tile);
        uint sum = sum_before(tile, own.limit, all) + clipped_count(tile, code, own.limit);
        entries |= entry_of(sum, code, spread_of(own.pixels - all), own) << corner * 8;
    }
    tables[place * BINS + code] = entries;
#else
    Tile own = tile_of(place);
    uint sum = sum_before(place, own.limit, all);
    Spread spread = spread_of(own.pixels - all);
    for (uint k = 0u; k < EACH; ++k) {
        uint code = gl_LocalInvocationIndex * EACH + k;
        sum += clipped_count(place, code, own.limit);
        tables[place * BINS + code] = entry_of(sum, code, spread, own);
    }
#endif
}
