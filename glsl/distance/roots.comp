#version 430 core
// Exact distances as a picture of floats, from squares that are there already: where sites or signs are asked for, too.
//
// Reads   b_squares  lib/squares.glsl; row u_first_row and later ones
//         b_inner    SIGNED: the squares of distances to the other pixels, likewise, whose roots become negative
// Writes  i_dst      one channel; infinity where there is no site
// Group grid         x texels of 4 pixels, y rows, the first is u_first_row; any order
// Shared bytes       none
// Source             lib/whole_root.glsl
//
// @define WIDE   0|1
// @define SIGNED 0|1
// @define METRIC 0|1|2   lib/squares.glsl
layout(local_size_x = 64) in;
#include "lib/distance_bits.glsl"

layout(std430) readonly buffer b_squares { SQUARE squares[]; };
#if SIGNED == 1
layout(std430) readonly buffer b_inner { SQUARE inner[]; };
#endif
layout(rgba32ui) writeonly uniform uimage2D i_dst;

uniform uint u_width;
uniform uint u_first_row;
uniform uint u_first_pixel; // what b_squares and b_inner begin with, row by row

void main() {
    uint texel = gl_GlobalInvocationID.x;
    uint y = gl_WorkGroupID.y + u_first_row;
    uint count = min(u_width - min(texel * 4u, u_width), 4u);
    uvec4 distances = uvec4(0u);
    for (uint i = 0u; i < count; ++i) {
        uint place = y * u_width + texel * 4u + i - u_first_pixel;
        distances[i] = distance_bits(squares[place]);
#if SIGNED == 1
        uint other = distance_bits(inner[place]);
        distances[i] = distances[i] == 0u && other != 0u ? other | 0x80000000u : distances[i];
#endif
    }
    if (count > 0u) {
        imageStore(i_dst, ivec2(texel, y), distances);
    }
}
