#version 430 core
// Quads of an array from a buffer into blocks, or back.
//
// Reads   b_quads    with FILL 1: u_quads quads
//         i_blocks   with FILL 0: as many, beginning with quad u_first
// Writes  the other
// Group grid       an invocation for each quad; groups come in any order
// Shared bytes     none
// Source           none: it moves bytes.
//
// @define FILL 0|1   1: into blocks
#include "lib/blocks.glsl"

layout(local_size_x = 256) in;
#include "lib/group.glsl"

// Each direction has its own declarations: NVIDIA's linker keeps those that are not used.
#if FILL == 1
layout(std430) readonly buffer b_quads { uvec4 quads[]; };
layout(rgba32ui) writeonly uniform uimage2D i_blocks;
#else
layout(std430) writeonly buffer b_quads { uvec4 quads[]; };
layout(rgba32ui) readonly uniform uimage2D i_blocks;
#endif

uniform uint u_first;
uniform uint u_quads;

void main() {
    uint quad = linear_invocation();
    if (quad < u_quads) {
#if FILL == 1
        imageStore(i_blocks, texel_of_quad(u_first + quad), quads[quad]);
#else
        quads[quad] = imageLoad(i_blocks, texel_of_quad(u_first + quad));
#endif
    }
}
