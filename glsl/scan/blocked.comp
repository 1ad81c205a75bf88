#version 430 core
#pragma optionNV(unroll all)
// Prefix sum of tiles: each group scans one tile by itself and writes the tile's sum. The sums are scanned by
// this kernel again, until one tile holds them all, and scan/add.comp brings them back. With SUBGROUP 0 this
// is the variant `blocked`, else `subgroup`.
//
// Reads   b_in      the values, u_count of them
//         b_carry   the sum before the first value
// Writes  b_out     sums within each tile; with u_only_tile 1, if there is one tile only, the result
//         b_sums    the sum of each tile
// Shared memory     lib/wg_scan.glsl or lib/subgroup.glsl; groups are independent and come in any order.
// Source            see lib/wg_scan.glsl; recursion over block sums as in its second source
//
// @define FLOAT    0|1      lib/scan_value.glsl
// @define GROUP    8|256    invocations
// @define QUADS    2|3|8    quads of values for each
// @define SUBGROUP 0|1|8    lib/subgroup.glsl
#include "lib/scan_tile.glsl"
#include "lib/group.glsl"

layout(std430) readonly buffer b_carry { VALUE carry; };
layout(std430) writeonly buffer b_sums { VALUE sums_of_tiles[]; };

uniform int u_only_tile;

void main() {
    uint tile = linear_group();
    VALUE4 sums[QUADS];
    VALUE before[QUADS];
    VALUE total = scan_tile(tile, sums, before);
    store_tile(tile, u_only_tile == 1 ? carry : VALUE(0), sums, before);
    if (gl_LocalInvocationIndex == 0u && values_from(tile * TILE_QUADS) > 0u) {
        sums_of_tiles[tile] = total;
    }
}
