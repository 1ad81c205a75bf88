#version 430 core
// Connected parts of an array, last pass: the number of the part of each value.
//
// Reads   b_parents  arrays/labels/number.comp
// Writes  b_labels   0 where a value is 0
// Group grid         one invocation for each value
#define NO_PART 0xffffffffu
#define NUMBERED 0x80000000u

layout(local_size_x = 64) in;

#include "lib/group.glsl"

layout(std430) readonly buffer b_parents { uint parents[]; };
layout(std430) writeonly buffer b_labels { uint labels[]; };

uniform uint u_count;

void main() {
    uint at = linear_invocation();
    if (at >= u_count)
        return;
    uint parent = parents[at];
    while (parent < NUMBERED)
        parent = parents[parent]; // mostly one step; a path that was halved late may have more
    labels[at] = parent == NO_PART ? 0u : parent & ~NUMBERED;
}
