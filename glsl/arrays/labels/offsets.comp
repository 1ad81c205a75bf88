#version 430 core
// Connected parts of an array, and of a mask, fourth pass: each chunk's count becomes the sum of the counts before it.
//
// Updates  b_counts   u_chunks counts; behind them the sum of all
// Group grid          one group
// Shared bytes        1024
// Source              none: sums
#define GROUP 256
#define QUADS 1
#define FLOAT 0
#define SUBGROUP 0
#include "lib/wg_scan.glsl"
layout(local_size_x = GROUP) in;

layout(std430) buffer b_counts { uint counts[]; };

uniform uint u_chunks;

void main() {
    uint each = (u_chunks + uint(GROUP) - 1u) / uint(GROUP);
    uint begin = min(gl_LocalInvocationIndex * each, u_chunks);
    uint end = min(begin + each, u_chunks);
    uint sums[1];
    sums[0] = 0u;
    for (uint i = begin; i < end; ++i) {
        sums[0] += counts[i];
    }
    uint total = wg_scan(sums);
    uint before = sums[0];
    for (uint i = begin; i < end; ++i) {
        uint count = counts[i];
        counts[i] = before;
        before += count;
    }
    if (gl_LocalInvocationIndex == 0u) {
        counts[u_chunks] = total;
    }
}
