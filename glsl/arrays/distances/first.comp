#version 430 core
// Exact distances in arrays of any number of axes, first pass: squared distances to the nearest 0 on the line along the first axis.
//
// A group has LINES lines side by side. Each is cut into SEGMENTS, and an invocation goes along one. It finds the first and last 0
// there. Then the nearest 0 of the other segments is known, and it goes once in each direction.
//
// Reads   b_is_value  a byte for each value, 0 or anything; four a word
// Writes  b_squares   FAR where the line has no 0
// Group grid          lib/group.glsl, a group for LINES lines
// Shared bytes        4096
// Source              none
#define FAR 0xffffffffu
#define LINES 32u
#define SEGMENTS 16u

layout(local_size_x = 512) in; // all segments

#include "lib/group.glsl"
#include "lib/sync.glsl"

layout(std430) readonly buffer b_is_value { uint is_value[]; };
layout(std430) buffer b_squares { uint squares[]; };

uniform uint u_length; // of a line, whose values lie u_lines apart
uniform uint u_lines;

shared uint s_first[LINES * SEGMENTS];
shared uint s_last[LINES * SEGMENTS];

bool is_zero(uint at) { return (is_value[at >> 2] >> (at & 3u) * 8u & 0xffu) == 0u; }

void main() {
    uint me = gl_LocalInvocationIndex;
    uint line = linear_group() * LINES + me % LINES;
    uint part = (u_length + SEGMENTS - 1u) / SEGMENTS;
    uint begin = min(me / LINES * part, u_length);
    uint end = line < u_lines ? min(begin + part, u_length) : begin;
    uint first = FAR;
    uint last = FAR;
    for (uint i = begin; i < end; ++i) {
        bool is_one = is_zero(i * u_lines + line);
        first = is_one ? min(first, i) : first;
        last = is_one ? i : last;
    }
    s_first[me] = first;
    s_last[me] = last;
    wg_sync();
    uint zero = FAR; // the one before
    for (uint other = me % LINES; other < me; other += LINES)
        zero = s_last[other] == FAR ? zero : s_last[other];
    for (uint i = begin; i < end; ++i) {
        uint at = i * u_lines + line;
        zero = is_zero(at) ? i : zero;
        squares[at] = zero == FAR ? FAR : i - zero;
    }
    zero = FAR; // the one after
    for (uint other = me + LINES; other < LINES * SEGMENTS; other += LINES)
        zero = min(zero, s_first[other]);
    for (uint i = end; i-- > begin;) {
        uint at = i * u_lines + line;
        uint before = squares[at];
        zero = before == 0u ? i : zero;
        uint nearest = min(before, zero == FAR ? FAR : zero - i);
        squares[at] = nearest == FAR ? FAR : nearest * nearest;
    }
}
