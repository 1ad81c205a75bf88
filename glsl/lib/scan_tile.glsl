// One group's share of a prefix sum: a tile of GROUP * QUADS quads of four values each.
#include "lib/subgroup.glsl"
#include "lib/wg_scan.glsl"
#include "lib/scan_quads.glsl"

uniform int u_exclusive; // 1: the sum before each value; 0: with it

VALUE4 sums_in_quad(VALUE4 values) {
    precise VALUE4 sums = values; // the same bits wherever it is compiled in
    sums.y += sums.x;
    sums.z += sums.y;
    sums.w += sums.z;
    return sums;
}

// Loads a tile: `sums` are the running sums inside each of the invocation's quads, `before` is the sum of the tile's
// values before each quad. Returns the tile's sum. For all invocations at once.
VALUE scan_tile(uint tile, out VALUE4 sums[QUADS], out VALUE before[QUADS]) {
    for (uint row = 0u; row < uint(QUADS); ++row) {
        sums[row] = sums_in_quad(load_quad(tile * TILE_QUADS + wg_place(row)));
        before[row] = sums[row].w;
    }
    return wg_scan(before);
}

// Returns the same as scan_tile(), bit for bit, and nothing else. For all invocations at once.
VALUE sum_tile(uint tile) {
    VALUE sums[QUADS];
    for (uint row = 0u; row < uint(QUADS); ++row) {
        sums[row] = sums_in_quad(load_quad(tile * TILE_QUADS + wg_place(row))).w;
    }
    return wg_sum(sums);
}

// Stores the sums that scan_tile() found, each plus `carry`, the sum of everything before the tile.
void store_tile(uint tile, VALUE carry, VALUE4 sums[QUADS], VALUE before[QUADS]) {
    for (uint row = 0u; row < uint(QUADS); ++row) {
        VALUE4 shifted = u_exclusive == 1 ? VALUE4(VALUE(0), sums[row].xyz) : sums[row];
        store_quad(tile * TILE_QUADS + wg_place(row), (carry + before[row]) + shifted);
    }
}
