#version 430 core
#pragma optionNV(unroll all)
// Prefix sum in a single pass: every value is read once and written once. Each group scans a tile by itself,
// finds by look-back what comes before it, and stores the sum of both.
//
// Reads    b_in         the values, u_count of them
//          b_carry      the sum before the first value
// Writes   b_out        the sums; another buffer than b_in, which a fallback may read at any time
// Updates  b_lookback   four words, of which one is used, and four for each tile, which live on between dispatches
// Shared memory         lib/wg_scan.glsl or lib/subgroup.glsl, and lib/lookback.glsl
// Group order           any: no group waits for another without bound
// Source, hazard        lib/lookback.glsl
//
// @define FLOAT    0|1        lib/scan_value.glsl
// @define GROUP    8|256|512  invocations
// @define QUADS    2|3|8      quads of values for each
// @define SUBGROUP 0|1|8      lib/subgroup.glsl
// @define WINDOW   8|32       tiles that are looked at together, GROUP at most
// @define SPINS    64         looks at a tile that has published nothing before its sum is computed here
// @define TICKETS  0|1        whether tiles are numbered as groups start: lib/lookback.glsl
// @define LATE     0|1        1 for tests: lib/lookback.glsl
// @skip GROUP=8 WINDOW=32
#include "lib/scan_tile.glsl"
#include "lib/group.glsl"
#include "lib/lookback.glsl"

void main() {
    uint tile = take_tile();
    VALUE4 sums[QUADS];
    VALUE before[QUADS];
    VALUE aggregate = scan_tile(tile, sums, before);
    store_tile(tile, look_back(tile, aggregate), sums, before);
}
