#version 430 core
// Quads of an array from a buffer to blocks, or back.
//
// Reads   b_from     u_quads quads, with TO_BLOCKS 1
//         i_from     blocks, from quad u_first on, with TO_BLOCKS 0
// Writes  i_to, b_to the others
// Shared memory      none; invocations are independent, groups come in any order.
//
// @define TO_BLOCKS 0|1   the direction
#include "lib/blocks.glsl"

layout(std430) readonly buffer b_from { uvec4 from_quads[]; };
layout(std430) writeonly buffer b_to { uvec4 to_quads[]; };
layout(rgba32ui) readonly uniform uimage2D i_from;
layout(rgba32ui) writeonly uniform uimage2D i_to;

uniform uint u_first;
uniform uint u_quads;

layout(local_size_x = 256) in;
#include "lib/group.glsl"

void main() {
    uint quad = linear_invocation();
    if (quad < u_quads) {
#if TO_BLOCKS == 1
        imageStore(i_to, texel_of_quad(u_first + quad), from_quads[quad]);
#else
        to_quads[quad] = imageLoad(i_from, texel_of_quad(u_first + quad));
#endif
    }
}
