#version 430 core
#pragma optionNV(unroll all)
// Integral image, last pass of bands. A group owns a band and walks along it, SEGMENTS units at a time, with
// one more row on top: what lies above the band in each column. A subgroup sums up each row; the tile turns
// round in shared memory; then each invocation walks down a column and stores the sums, neighbours beside
// neighbours.
//
// Reads   i_src    the image
//         b_words  row b: the sum of all that lies above band u_first_band + b, for each column
// Writes  b_sums   rows u_first_row to u_end_row - 1 of the result
// Shared memory    64 x (GROUP + SEGMENTS) bytes, and lib/subgroup.glsl; groups come in any order.
// Source           F. C. Crow, Summed-Area Tables for Texture Mapping, SIGGRAPH 1984; reduce, then scan: D.
//                  Merrill and A. Grimshaw, Parallel Scan for Stream Architectures, CS2009-14, Univ. of
//                  Virginia, 2009
//
// @define CHANNELS  1|2|4     as stored
// @define SRC_DEPTH 8|16|32   bits of a channel
// @define FLOAT     0|1       lib/scan_value.glsl: 1 for float images
// @define SEGMENTS  8|32      units of a row at a time: the size of a subgroup
// @define GROUP     64|512    invocations: a segment for each row of the band
// @define SUBGROUP  1|8       lib/subgroup.glsl
// @skip SRC_DEPTH=8 FLOAT=1
// @skip SRC_DEPTH=16 FLOAT=1
// @skip SRC_DEPTH=32 FLOAT=0
// @skip SEGMENTS=32 SUBGROUP=8
// @skip SEGMENTS=8 SUBGROUP=1
// @skip SEGMENTS=32 GROUP=64
// @skip SEGMENTS=8 GROUP=512
#define QUADS 1
#define BAND (GROUP / SEGMENTS)
#define ROWS (BAND + 1) // of the tile
#define VALUE_LANES CHANNELS
#include "lib/subgroup.glsl"
#include "lib/integral.glsl"

layout(local_size_x = GROUP) in;

#define TILE_COLUMNS (SEGMENTS * UNIT_LANES)

layout(std430) readonly buffer b_words { VALUE4 words[]; }; // four words at a time

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
    uint quad = (band * u_band_words + uint(unit * UNIT_LANES)) / 4u;
    for (int q = 0; q < UNIT_LANES / 4; ++q) {
        VALUE4 four = unit < u_units ? words[quad + uint(q)] : VALUE4(0);
        lanes[4 * q] = four.x;
        lanes[4 * q + 1] = four.y;
        lanes[4 * q + 2] = four.z;
        lanes[4 * q + 3] = four.w;
    }
}

// One row of the tile: `lanes` become sums along it, behind `carry`. For all invocations at once; those that do
// not `keep` it write nothing.
void sum_row(int tile_row, bool keep, inout SCALAR lanes[UNIT_LANES], inout VALUE carry) {
    int segment = int(SUBGROUP_LANE);
    VALUE total = sum_up_unit(lanes);
    VALUE before = carry + SUBGROUP_EXCLUSIVE_ADD(total);
    carry += SUBGROUP_ADD(total);
    if (keep) {
        for (int lane = 0; lane < UNIT_LANES; ++lane) {
            s_tile[tile_row * TILE_COLUMNS + place_in_row(segment, lane)] = lanes[lane] + part_of(before, lane);
        }
    }
}

// One column of the tile, whose top belongs to `row` of the result; its rows from `first` on.
void store_column(int column, int row, int first, SCALAR down[ROWS]) {
    int x = column / CHANNELS;
    int channel = column % CHANNELS;
    if (x < u_size.x && channel < u_channels) {
        uint word = word_of(row, x + u_pad) + uint(channel); // wraps back if row 0 is not of the result
        if (first == 1 && row + 1 >= u_first_row && row + ROWS <= u_end_row) { // no comparison for each
            for (int r = 1; r < ROWS; ++r) {
                sums[word + uint(r) * u_row_words] = down[r];
            }
        } else {
            for (int r = 0; r < ROWS; ++r) {
                if (r >= first && row + r >= u_first_row && row + r < u_end_row) {
                    sums[word + uint(r) * u_row_words] = down[r];
                }
            }
        }
    }
}

// Down the columns of the tile. `row`: of the result, the one that the top of the tile belongs to. All of a column
// is read before the first sum is stored: loads do not move past a store.
void store_tile(int first_column, int row, bool with_top) {
    for (int column = int(gl_LocalInvocationIndex); column < TILE_COLUMNS; column += GROUP) {
        int at = place_in_row(column / UNIT_LANES, column % UNIT_LANES);
        SCALAR down[ROWS];
        for (int r = 0; r < ROWS; ++r) {
            down[r] = s_tile[r * TILE_COLUMNS + at];
        }
        for (int r = 1; r < ROWS; ++r) {
            down[r] += down[r - 1];
        }
        store_column(first_column + column, row, with_top ? 0 : 1, down);
    }
}

void main() {
    int tile_row = int(SUBGROUP_INDEX) + 1;
    bool is_first = tile_row == 1;
    int segment = int(SUBGROUP_LANE);
    int above = (u_first_band + int(gl_WorkGroupID.x)) * BAND - 1; // the row of the image above the band
    VALUE carry = VALUE(0);
    VALUE top_carry = VALUE(0);
    for (int first = 0; first < u_units; first += SEGMENTS) {
        SCALAR lanes[UNIT_LANES];
        load_unit(first + segment, above + tile_row, lanes);
        sum_row(tile_row, true, lanes, carry);
        if (SUBGROUP != 1 || is_first) { // subgroups made of barriers go together
            load_above(gl_WorkGroupID.x, first + segment, lanes);
            sum_row(0, is_first, lanes, top_carry);
        }
        wg_sync();
        store_tile(first * UNIT_LANES, above + u_pad, u_pad == 1 && above < 0);
        wg_sync();
    }
    for (int r = u_pad == 1 && above < 0 ? 0 : 1; r < ROWS; ++r) {
        store_zeros(above + u_pad + r);
    }
}
