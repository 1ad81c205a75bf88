#version 430 core
// Exact distances, a pass for each further axis. To the squared distance of each value of a line comes the square of how far along the line
// it is; the least of them counts.
//
// Reads   b_src  squared distances within the axes before, FAR where there is no 0
// Writes  b_dst  with this axis
// Group grid     one invocation for each value
// Source         O. Cuisenaire, B. Macq, Fast Euclidean Distance Transformation by Propagation Using Multiple Neighborhoods, 1999, for the
//                bound that ends the search: nothing k values away is nearer than k
#define FAR 0xffffffffu

layout(local_size_x = 64) in;

#include "lib/group.glsl"

layout(std430) readonly buffer b_src { uint src[]; };
layout(std430) writeonly buffer b_dst { uint dst[]; };

uniform uint u_length;
uniform uint u_step; // from a value to the next on its line
uniform uint u_count;

void main() {
    uint at = linear_invocation();
    if (at >= u_count)
        return;
    uint place = at / u_step % u_length;
    uint best = src[at];
    uint most = max(place, u_length - 1u - place);
    for (uint k = 1u; k <= most && k * k < best; ++k) {
        uint before = k <= place ? src[at - k * u_step] : FAR;
        uint after = k < u_length - place ? src[at + k * u_step] : FAR;
        uint nearest = min(before, after);
        best = nearest == FAR ? best : min(best, nearest + k * k);
    }
    dst[at] = best;
}
