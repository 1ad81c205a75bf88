#version 430 core
// Puts the data of pictures together as the CPU gets it: without the zeros that follow each byte of ones in a file.
//
// A picture's part of b_file begins with the number of words of data and the words of its longest group. Then come the
// first word and the bits of each strip, its 1024 codes, and the data. In the data each strip begins with a word, and
// its last byte is filled up with ones. If the room for groups or for the file was too small, the data is missing.
//
// Reads   b_pictures, b_codes, b_bits, b_groups, b_strips, b_sizes
// Writes  b_file
// Group grid      x covers the groups of a strip, y the strips of a picture, z the pictures; any order
// Shared bytes    none
// Source          none: it moves bits.
#include "jpeg/encode_facts.glsl"

#define GROUP 128
layout(local_size_x = GROUP) in;

layout(std430) readonly buffer b_codes { uint codes[]; };
layout(std430) readonly buffer b_bits { uint bits_of_groups[]; };
layout(std430) readonly buffer b_groups { uvec2 groups[]; };
layout(std430) readonly buffer b_strips { uvec2 strips[]; };
layout(std430) readonly buffer b_sizes { uvec2 sizes[]; };
layout(std430) writeonly buffer b_file { uint file[]; };

uniform uint u_room;

#define CODES 1024u

void copy_facts(uint me) {
    uint at = fact(FACT_FILE);
    uint count = fact(FACT_STRIPS);
    if (me == 0u) {
        file[at] = sizes[picture].x;
        file[at + 1u] = sizes[picture].y;
    }
    for (uint i = me; i < count; i += uint(GROUP)) {
        file[at + 2u + 2u * i] = strips[fact(FACT_FIRST_STRIP) + i].x;
        file[at + 3u + 2u * i] = strips[fact(FACT_FIRST_STRIP) + i].y;
    }
    for (uint i = me; i < CODES; i += uint(GROUP)) {
        file[at + 2u + 2u * count + i] = codes[CODES * picture + i];
    }
}

// A word of a group's bits, 0 beyond them.
uint word_of(uint group, uint index) {
    return 32u * index < groups[group].x ? bits_of_groups[group * u_room + index] : 0u;
}

// 32 bits, beginning at `bit` of a group, which may run on into the groups after it.
uint word_at(uint group, uint bit, uint end) {
    uint shift = bit & 31u;
    uint value = word_of(group, bit / 32u) << shift;
    value |= shift == 0u ? 0u : word_of(group, bit / 32u + 1u) >> (32u - shift);
    uint count = min(groups[group].x - bit, 32u);
    for (uint next = group + 1u; next < end && count < 32u; ++next) {
        value |= word_of(next, 0u) >> count;
        count = min(count + groups[next].x, 32u);
    }
    uint ones = (32u - count) & 7u;
    return count == 32u ? value : value | ((1u << ones) - 1u) << (32u - count - ones);
}

uint in_order_of_bytes(uint word) {
    return word << 24 | (word & 0xff00u) << 8 | (word >> 8 & 0xff00u) | word >> 24;
}

void main() {
    picture = gl_WorkGroupID.z;
    uint me = gl_LocalInvocationIndex;
    uint strip = gl_WorkGroupID.y;
    if (strip == 0u && gl_WorkGroupID.x == 0u) {
        copy_facts(me);
    }
    uvec2 size = sizes[picture];
    bool has_room = size.x <= fact(FACT_FILE_WORDS) && size.y <= u_room;
    if (!has_room || strip >= fact(FACT_STRIPS) || gl_WorkGroupID.x >= fact(FACT_STRIP_GROUPS)) {
        return;
    }
    uint first = fact(FACT_FIRST_GROUP) + strip * fact(FACT_STRIP_GROUPS);
    uint group = first + gl_WorkGroupID.x;
    uvec2 mine = groups[group];
    uint to = fact(FACT_FILE) + 2u + 2u * fact(FACT_STRIPS) + CODES + strips[fact(FACT_FIRST_STRIP) + strip].x;
    uint end = (mine.y + mine.x + 31u) / 32u;
    for (uint word = (mine.y + 31u) / 32u + me; word < end; word += uint(GROUP)) {
        file[to + word] = in_order_of_bytes(word_at(group, 32u * word - mine.y, first + fact(FACT_STRIP_GROUPS)));
    }
}
