#version 430 core
// Prefix sum, one pass of ceil(log2(n)): each value gets the one u_back places before it added, where u_back
// is 1, then 2, 4 ...
//
// Reads   b_in      the values (FIRST 1), or the output of the pass before (FIRST 0): u_count of them
//         b_carry   the sum before the first value
// Writes  b_out     the sums so far; another buffer than b_in, whose values are read by two invocations
// Shared memory     none; invocations are independent, groups come in any order. Work n log n.
// Source            W. D. Hillis, G. L. Steele, Data Parallel Algorithms, CACM 29 (12), 1986,
//                   https://doi.org/10.1145/7902.7903
//
// @define FLOAT 0|1   lib/scan_value.glsl
// @define FIRST 0|1   1 for the first pass
// @define GROUP 256   invocations
#include "lib/scan_value.glsl"

layout(std430) readonly buffer b_in { VALUE source[]; };
layout(std430) readonly buffer b_carry { VALUE carry; };
layout(std430) writeonly buffer b_out { VALUE sums[]; };

uniform uint u_count;
uniform uint u_back;
uniform int u_exclusive;

layout(local_size_x = GROUP) in;
#include "lib/group.glsl"

// Exclusive sums are the inclusive ones of the values moved on by one place, behind the carry.
VALUE item(uint i) {
#if FIRST == 1
    VALUE ahead = i == 0u ? carry : VALUE(0);
    if (u_exclusive == 1) {
        return i == 0u ? ahead : source[max(i, 1u) - 1u];
    }
    return ahead + source[i];
#else
    return source[i];
#endif
}

void main() {
    uint i = linear_invocation();
    if (i < u_count) {
        VALUE sum = item(i);
        if (i >= u_back) {
            sum = item(i - u_back) + sum;
        }
        sums[i] = sum;
    }
}
