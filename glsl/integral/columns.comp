#version 430 core
#pragma optionNV(unroll all)
// Running sums down each column, in place. A column of a group is cut into SEGMENTS parts. They are summed at the same
// time, and then walked again, starting from the sum of the parts above.
//
// Updates b_words  u_rows rows of u_row_words words each; the first begins at word u_shift
// Shared memory    128 x SEGMENTS bytes; groups are independent and come in any order.
// Source           see integral/rows.comp
//
// @define FLOAT    0|1      lib/scan_value.glsl
// @define SEGMENTS 1|4|32   invocations of a column
#include "lib/sync.glsl"
#include "lib/scan_value.glsl"

#define COLUMNS 32
#define TURN 8 // rows at a time: all of their loads are under way before the first is added

layout(local_size_x = COLUMNS, local_size_y = SEGMENTS) in;

#include "lib/group.glsl"

layout(std430) buffer b_words { SCALAR words[]; };

uniform uint u_shift;
uniform uint u_rows;
uniform uint u_row_words;

shared SCALAR s_sums[COLUMNS * SEGMENTS];

void load_rows(uint column, uint row, uint end, out SCALAR values[TURN]) {
    for (uint r = 0u; r < TURN; ++r) {
        values[r] = row + r < end ? words[u_shift + (row + r) * u_row_words + column] : SCALAR(0);
    }
}

// The sum above this invocation's rows, which reach from row `first` to `end`. For all invocations at once.
SCALAR sum_above(uint column, uint first, uint end) {
    SCALAR sum = SCALAR(0);
#if SEGMENTS > 1
    for (uint row = first; row < end; row += TURN) {
        SCALAR values[TURN];
        load_rows(column, row, end, values);
        for (uint r = 0u; r < TURN; ++r) {
            sum += values[r];
        }
    }
    s_sums[gl_LocalInvocationIndex] = sum;
    wg_sync();
    sum = SCALAR(0);
    for (uint above = gl_LocalInvocationID.x; above < gl_LocalInvocationIndex; above += COLUMNS) {
        sum += s_sums[above];
    }
#endif
    return sum;
}

void main() {
    uint column = linear_group() * COLUMNS + gl_LocalInvocationID.x;
    uint part = (u_rows + SEGMENTS - 1u) / SEGMENTS;
    uint first = gl_LocalInvocationID.y * part;
    uint end = column < u_row_words ? min(first + part, u_rows) : 0u;
    SCALAR sum = sum_above(column, first, end);
    for (uint row = first; row < end; row += TURN) {
        SCALAR values[TURN];
        load_rows(column, row, end, values);
        for (uint r = 0u; r < TURN; ++r) {
            sum += values[r];
            if (row + r < end) {
                words[u_shift + (row + r) * u_row_words + column] = sum;
            }
        }
    }
}
