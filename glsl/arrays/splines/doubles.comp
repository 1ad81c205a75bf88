#version 430 core
// The values of an array as doubles.
//
// Reads   b_src  the array, lib/volume.glsl
// Writes  b_dst  as many doubles
// Group grid     one invocation for each value
//
// @define SRC  U8|I8|U16|I16|U32|I32|U64|I64|F32
// @define DST  F64
#define COLUMNS 1
#include "lib/volume.glsl"

layout(local_size_x = 64) in;

#include "lib/group.glsl"

uniform int u_count;

void main() {
    int at = int(linear_invocation());
    if (at < u_count)
        store(at, value_at(at));
}
