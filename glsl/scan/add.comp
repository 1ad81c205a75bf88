#version 430 core
#pragma optionNV(unroll all)
// The last part of a prefix sum by tiles: adds the sum of everything before a tile to each of its values.
//
// Reads   b_before     for each tile of scan/blocked.comp the sum of everything before it
//         b_in         the sums within each tile, u_count of them
// Writes  b_out        the result; may be b_in, as each invocation reads its own quads before it writes them
// Shared memory        none; invocations are independent, groups come in any order.
// Source               see lib/wg_scan.glsl
//
// @define FLOAT 0|1      lib/scan_value.glsl
// @define GROUP 8|256    as in scan/blocked.comp
// @define QUADS 2|3|8    as in scan/blocked.comp
#include "lib/scan_quads.glsl"
#include "lib/group.glsl"

layout(std430) readonly buffer b_before { VALUE before[]; };

void main() {
    uint tile = linear_group();
    if (values_from(tile * TILE_QUADS) > 0u) {
        for (uint row = 0u; row < uint(QUADS); ++row) {
            uint quad = tile * TILE_QUADS + row * uint(GROUP) + gl_LocalInvocationIndex;
            store_quad(quad, before[tile] + load_quad(quad));
        }
    }
}
