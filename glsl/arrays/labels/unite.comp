#version 430 core
// Connected parts of an array of up to four axes, second pass: joins each value with those neighbours before it that belong to it.
//
// Reads    b_offsets  of each neighbour five numbers: how far away it lies in memory, and along each of four axes
//          u_length   along each axis; 1 for those that there are not
// Updates  b_parents  lib/union_find.glsl; NO_PART where a value is 0
// Order decides b_parents: parents may be other members of the same set
// Group grid          one invocation for each value
// Source              lib/union_find.glsl
#define NO_PART 0xffffffffu

layout(local_size_x = 64) in;

#include "lib/group.glsl"

layout(std430) readonly buffer b_offsets { int offsets[]; };
layout(std430) coherent buffer b_parents { uint parents[]; };

uniform uvec4 u_length;
uniform int u_neighbours;
uniform uint u_count;

#define PARENT(number) parents[number]
#include "lib/union_find.glsl"

void main() {
    uint at = linear_invocation();
    if (at >= u_count || parents[at] == NO_PART)
        return;
    ivec4 length = ivec4(u_length);
    ivec4 index;
    index.w = int(at) % length.w;
    int rest = int(at) / length.w;
    index.z = rest % length.z;
    rest /= length.z;
    index.y = rest % length.y;
    index.x = rest / length.y;
    for (int entry = 0; entry < 5 * u_neighbours; entry += 5) {
        ivec4 there = index + ivec4(offsets[entry + 1], offsets[entry + 2], offsets[entry + 3], offsets[entry + 4]);
        if (all(greaterThanEqual(there, ivec4(0))) && all(lessThan(there, length))) {
            uint other = uint(int(at) + offsets[entry]);
            if (parents[other] != NO_PART)
                unite(at, other);
        }
    }
}
