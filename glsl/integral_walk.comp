#version 430 core
// Integral image, last pass of bands. A group owns a band and walks along it, SEGMENTS units at a time, with
// one more row on top: what lies above the band in each column. A subgroup sums up each row; the tile turns
// round in shared memory; then each invocation walks down a column and stores the sums, neighbours beside
// neighbours.
//
// Reads   i_src    the image
//         b_words  row b: the sum of all that lies above band u_first_band + b, for each column
// Writes  b_sums   rows u_first_row to u_end_row - 1 of the result
// Shared memory    4 x 16 x GROUP bytes, and lib/subgroup.glsl; groups come in any order.
// Source           F. C. Crow, Summed-Area Tables for Texture Mapping, SIGGRAPH 1984; reduce, then scan: D.
//                  Merrill and A. Grimshaw, Parallel Scan for Stream Architectures, CS2009-14, Univ. of
//                  Virginia, 2009
//
// @define CHANNELS  1|2|4     as stored
// @define SRC_DEPTH 8|16|32   bits of a channel
// @define FLOAT     0|1       lib/scan_value.glsl: 1 for float images
// @define SEGMENTS  8|32      units of a row at a time: the size of a subgroup
// @define GROUP     64|512    invocations: a row of segments more than the band has rows
// @define SUBGROUP  1|8       lib/subgroup.glsl
// @skip SRC_DEPTH=8 FLOAT=1
// @skip SRC_DEPTH=16 FLOAT=1
// @skip SRC_DEPTH=32 FLOAT=0
// @skip SEGMENTS=32 SUBGROUP=8
// @skip SEGMENTS=8 SUBGROUP=1
// @skip SEGMENTS=32 GROUP=64
// @skip SEGMENTS=8 GROUP=512
#define QUADS 1
#define ROWS (GROUP / SEGMENTS)
#define BAND (ROWS - 1)
#define VALUE_LANES CHANNELS
#include "lib/subgroup.glsl"
#include "lib/integral.glsl"

layout(local_size_x = GROUP) in;

#define TILE_COLUMNS (SEGMENTS * UNIT_LANES)

layout(std430) readonly buffer b_words { SCALAR words[]; };

uniform int u_units;       // of a row
uniform int u_first_band;
uniform uint u_band_words; // of a row of b_words

shared SCALAR s_tile[ROWS * TILE_COLUMNS];

// Where a lane of a segment lies in its row of the tile: in different banks for the segments that write a lane
// at once, and for the columns that are read at once.
int place_in_row(int segment, int lane) {
    return lane * SEGMENTS + (segment ^ (2 * lane & (SEGMENTS - 1)));
}

void load_above(uint band, int unit, out SCALAR lanes[UNIT_LANES]) {
    for (int lane = 0; lane < UNIT_LANES; ++lane) {
        lanes[lane] = unit < u_units ? words[band * u_band_words + uint(unit * UNIT_LANES + lane)] : SCALAR(0);
    }
}

// Down the columns of the tile. `row`: of the result, the one that the top of the tile belongs to.
void store_tile(int first_column, int row, bool with_top) {
    for (int column = int(gl_LocalInvocationIndex); column < TILE_COLUMNS; column += GROUP) {
        int at = place_in_row(column / UNIT_LANES, column % UNIT_LANES);
        SCALAR sum = s_tile[at];
        if (with_top) {
            store_sum(first_column + column, row, sum);
        }
        for (int r = 1; r < ROWS; ++r) {
            sum += s_tile[r * TILE_COLUMNS + at];
            store_sum(first_column + column, row + r, sum);
        }
    }
}

void main() {
    int tile_row = int(SUBGROUP_INDEX);
    int segment = int(SUBGROUP_LANE);
    int above = (u_first_band + int(gl_WorkGroupID.x)) * BAND - 1; // the row of the image above the band
    VALUE carry = VALUE(0);
    for (int first = 0; first < u_units; first += SEGMENTS) {
        SCALAR lanes[UNIT_LANES];
        if (tile_row == 0) {
            load_above(gl_WorkGroupID.x, first + segment, lanes);
        } else {
            load_unit(first + segment, above + tile_row, lanes);
        }
        VALUE total = sum_up_unit(lanes);
        VALUE before = carry + SUBGROUP_EXCLUSIVE_ADD(total);
        carry += SUBGROUP_ADD(total);
        for (int lane = 0; lane < UNIT_LANES; ++lane) {
            s_tile[tile_row * TILE_COLUMNS + place_in_row(segment, lane)] = lanes[lane] + part_of(before, lane);
        }
        wg_sync();
        store_tile(first * UNIT_LANES, above + u_pad, u_pad == 1 && above < 0);
        wg_sync();
    }
    for (int r = u_pad == 1 && above < 0 ? 0 : 1; r < ROWS; ++r) {
        store_zeros(above + u_pad + r);
    }
}
