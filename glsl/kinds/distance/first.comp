#version 430 core
// Exact distances in arrays of any number of axes, first pass: squared distances to the nearest 0 on the line along the first axis.
//
// Reads   b_is_value  a byte for each value, 0 or anything; four a word
// Writes  b_squares   FAR where the line has no 0
// Group grid          one invocation for each line
#define FAR 0xffffffffu

layout(local_size_x = 64) in;

#include "lib/group.glsl"

layout(std430) readonly buffer b_is_value { uint is_value[]; };
layout(std430) buffer b_squares { uint squares[]; };

uniform uint u_length; // of a line, whose values lie u_lines apart
uniform uint u_lines;

bool is_zero(uint at) { return (is_value[at >> 2] >> (at & 3u) * 8u & 0xffu) == 0u; }

void main() {
    uint line = linear_invocation();
    if (line >= u_lines)
        return;
    uint away = FAR; // from the last 0
    for (uint i = 0u; i < u_length; ++i) {
        uint at = i * u_lines + line;
        away = is_zero(at) ? 0u : away == FAR ? FAR : away + 1u;
        squares[at] = away;
    }
    away = FAR;
    for (uint i = u_length; i-- > 0u;) {
        uint at = i * u_lines + line;
        uint before = squares[at];
        away = before == 0u ? 0u : away == FAR ? FAR : away + 1u;
        uint nearest = min(before, away);
        squares[at] = nearest == FAR ? FAR : nearest * nearest;
    }
}
