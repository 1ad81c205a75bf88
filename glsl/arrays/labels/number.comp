#version 430 core
// Connected parts of an array, fifth pass: the first value of each part gets the number of the part, in their order.
//
// Reads    b_counts   how many parts begin before each chunk of 2048 values (arrays/labels/offsets.comp)
// Updates  b_parents  first values have the number, with the highest bit set
// Group grid          lib/group.glsl, a group a chunk
// Shared bytes        1024
// Source              none: sums
#define NUMBERED 0x80000000u
#define GROUP 256
#define QUADS 1
#define FLOAT 0
#define SUBGROUP 0
#define EACH 8u // values of an invocation
#include "lib/wg_scan.glsl"
layout(local_size_x = GROUP) in;
#include "lib/group.glsl"

layout(std430) readonly buffer b_counts { uint counts[]; };
layout(std430) buffer b_parents { uint parents[]; };

uniform uint u_count;

void main() {
    uint chunk = linear_group();
    uint first = chunk * uint(GROUP) * EACH + gl_LocalInvocationIndex * EACH;
    uint firsts = 0u; // bits
    for (uint i = 0u; i < EACH; ++i) {
        if (first + i < u_count && parents[first + i] == first + i)
            firsts |= 1u << i;
    }
    uint sums[1];
    sums[0] = uint(bitCount(firsts));
    wg_scan(sums);
    if (firsts != 0u) {
        uint number = counts[chunk] + sums[0];
        for (uint i = 0u; i < EACH; ++i) {
            if ((firsts >> i & 1u) != 0u)
                parents[first + i] = NUMBERED | ++number;
        }
    }
}
