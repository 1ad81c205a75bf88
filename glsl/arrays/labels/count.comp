#version 430 core
// Connected parts of an array, third pass: each value gets the first one of its part for a parent, and those are counted.
//
// Updates  b_parents  see arrays/labels/unite.comp
// Writes   b_counts   the first values in each chunk of 2048
// Group grid          lib/group.glsl, a group a chunk
// Shared bytes        1024
// Source              none: sums
#define NO_PART 0xffffffffu
#define GROUP 256
#define QUADS 1
#define FLOAT 0
#define SUBGROUP 0
#define EACH 8u
#include "lib/wg_scan.glsl"
layout(local_size_x = GROUP) in;
#include "lib/group.glsl"

layout(std430) coherent buffer b_parents { uint parents[]; };
layout(std430) writeonly buffer b_counts { uint counts[]; };

uniform uint u_count;

#define PARENT(number) parents[number]
#include "lib/union_find.glsl"

void main() {
    uint chunk = linear_group();
    uint sums[1];
    sums[0] = 0u;
    for (uint i = 0u; i < EACH; ++i) {
        uint at = (chunk * EACH + i) * uint(GROUP) + gl_LocalInvocationIndex;
        uint parent = at < u_count ? parents[at] : NO_PART;
        if (parent != NO_PART) {
            uint root = root_of(at);
            parents[at] = root;
            sums[0] += root == at ? 1u : 0u;
        }
    }
    uint total = wg_sum(sums);
    if (gl_LocalInvocationIndex == 0u && chunk * EACH * uint(GROUP) < u_count)
        counts[chunk] = total;
}
