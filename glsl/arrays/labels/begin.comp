#version 430 core
// Connected parts of an array, first pass: each value that is not 0 is a part of its own.
//
// Reads   b_bits     a bit for each value
// Writes  b_parents  NO_PART where a value is 0
// Group grid         one invocation for each value
#define NO_PART 0xffffffffu

layout(local_size_x = 64) in;

#include "lib/group.glsl"

layout(std430) readonly buffer b_bits { uint bits[]; };
layout(std430) writeonly buffer b_parents { uint parents[]; };

uniform uint u_count;

void main() {
    uint at = linear_invocation();
    if (at < u_count)
        parents[at] = (bits[at >> 5] >> (at & 31u) & 1u) != 0u ? at : NO_PART;
}
