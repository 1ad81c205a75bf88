#version 430 core
#pragma optionNV(unroll all)
// Prefix sum in a single pass: every value is read once and written once. Each group scans a tile by itself, finds the
// sum of everything before it by look-back, and stores the sum of both.
//
// Reads    b_in         the values, u_count of them; i_in with BLOCKS 1
//          b_carry      the sum before the first value
// Writes   b_out        the sums; another buffer than b_in, which a fallback may read at any time; i_out with BLOCKS 1
// Updates  b_lookback   four words, only one of them used, and four for each tile; they live on between dispatches
// Shared memory         lib/wg_scan.glsl or lib/subgroup.glsl, and lib/lookback.glsl
// Group order           any: no group waits for another without bound
// Source, hazard        lib/lookback.glsl
//
// @define FLOAT    0|1        lib/scan_value.glsl
// @define GROUP    8|256|512  invocations
// @define QUADS    2|3|4|8    quads of values for each
// @define SUBGROUP 0|1|8      lib/subgroup.glsl
// @define SUBGROUP_LANES 0|32 lib/subgroup.glsl
// @define WINDOW   8|32       tiles that are read together, GROUP at most
// @define WINDOWS  1|8        of whole numbers, by subgroups of the device: lib/lookback.glsl
// @define SPINS    64         looks at a tile that has published nothing before its sum is computed here
// @define TICKETS  0|1        whether tiles are numbered as groups start: lib/lookback.glsl
// @define BLOCKS   0|1        lib/scan_quads.glsl
// @define LATE     0|1        1 for tests: lib/lookback.glsl
// @skip GROUP=8 WINDOW=32
// @skip GROUP=256 WINDOW=8
// @skip GROUP=512 WINDOW=8
// @skip GROUP=512 QUADS=4
// @skip GROUP=512 QUADS=8
// @skip BLOCKS=1 GROUP=512
// @skip SUBGROUP=0 SUBGROUP_LANES=32
// @skip SUBGROUP=8 SUBGROUP_LANES=32
// @skip FLOAT=1 WINDOWS=8
// @skip SUBGROUP=0 WINDOWS=8
// @skip SUBGROUP=8 WINDOWS=8
// @skip LATE=1 GROUP=512
// @skip LATE=1 TICKETS=0
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
