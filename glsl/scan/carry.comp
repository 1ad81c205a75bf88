#version 430 core
// Links two parts of a prefix sum that is too long for one storage block: the carry that the next part begins with.
//
// Reads   b_in, b_out   the part's values and sums
// Writes  b_carry       the sum of everything up to the end of the part
// Shared memory         none; one invocation.
//
// @define FLOAT 0|1   lib/scan_value.glsl
#include "lib/scan_value.glsl"

layout(std430) readonly buffer b_in { VALUE source[]; };
layout(std430) readonly buffer b_out { VALUE sums[]; };
layout(std430) writeonly buffer b_carry { VALUE carry; };

uniform uint u_count;
uniform int u_exclusive;

layout(local_size_x = 1) in;

void main() {
    uint last = u_count - 1u;
    carry = u_exclusive == 1 ? sums[last] + source[last] : sums[last];
}
