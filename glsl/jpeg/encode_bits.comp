#version 430 core
// The bits of the blocks of each group, from bit 0 of a part of b_bits on, the first in the highest bit of a word; and
// how many they are. What exceeds the part is not written.
//
// A group finds out where each of its blocks begins, and then puts its bits together in shared memory, WINDOW words at a
// time.
//
// Reads    b_pictures, b_blocks, b_coefficients
//          b_codes     1024 of a picture
// Writes   b_bits      u_room words of each group
//          b_groups    bits of each; the second value is that of jpeg/encode_offsets.comp
// Group grid       x covers the groups of a strip, y the strips of a picture, z the pictures; any order
// Shared bytes     12416
// Source           ITU T.81, F.1.2; A. Klappenecker, F. U. May, Design and implementation of parallel Huffman encoding
//                  by prefix sums, as in A. Fuentes-Alventosa et al., CUVLE: variable-length encoding on CUDA, 2014
#define GROUP 256
#define QUADS 1
#define FLOAT 0
#define SUBGROUP 0
#include "lib/wg_scan.glsl"
#include "jpeg/encode_facts.glsl"
#include "jpeg/encode_symbols.glsl"

layout(local_size_x = GROUP) in;

layout(std430) readonly buffer b_codes { uint codes[]; };
layout(std430) writeonly buffer b_bits { uint bits_of_groups[]; };
layout(std430) buffer b_groups { uvec2 groups[]; };

uniform uint u_room;

#define WINDOW 2048u

shared uint s_codes[SYMBOLS];
shared uint s_ends[GROUP];
shared uint s_window[WINDOW];

bool writes = false; // or only counts
uint length = 0u; // of what was counted
uint word = 0u; // where the next bit goes, from the beginning of the window on
uint used = 0u; // bits of this word
uint pending = 0u; // these bits

void put_word() {
    if (word < WINDOW) {
        atomicOr(s_window[word], pending);
    }
    ++word;
}

void put(uint value, uint count) {
    if (used + count < 32u) {
        pending |= value << (32u - used - count);
        used += count;
        return;
    }
    uint rest = used + count - 32u;
    pending |= value >> rest;
    put_word();
    used = rest;
    pending = rest == 0u ? 0u : value << (32u - rest);
}

void take(uint table, uint symbol, uint bits, uint count) {
    uint code = s_codes[place_of_symbol(table, symbol)];
    if (writes) {
        put((code & 0xffffu) << count | bits, (code >> 16) + count);
    } else {
        length += (code >> 16) + count;
    }
}

#include "jpeg/encode_walk.glsl"

void main() {
    picture = gl_WorkGroupID.z;
    uint me = gl_LocalInvocationIndex;
    uint strip = gl_WorkGroupID.y;
    uint unit_blocks = fact(FACT_UNIT_BLOCKS);
    uint per_group = group_units();
    uint place = me / per_group;
    uint unit = gl_WorkGroupID.x * per_group + me % per_group; // of the strip
    uint strip_unit = strip * fact(FACT_STRIP_UNITS);
    uint group = fact(FACT_FIRST_GROUP) + strip * fact(FACT_STRIP_GROUPS) + gl_WorkGroupID.x;
    bool is_there = strip < fact(FACT_STRIPS) && gl_WorkGroupID.x < fact(FACT_STRIP_GROUPS);
    bool has_block = is_there && place < unit_blocks && unit < fact(FACT_STRIP_UNITS) &&
                     strip_unit + unit < fact(FACT_UNITS);
    uint block = fact(FACT_FIRST_BLOCK) + (strip_unit + unit) * unit_blocks + place;
    uint order = me % per_group * unit_blocks + place; // of the block within the group
    for (uint i = me; i < SYMBOLS; i += uint(GROUP)) {
        s_codes[i] = codes[1024u * picture + global_place(i)];
    }
    s_ends[me] = 0u;
    wg_sync();
    writes = false;
    length = 0u;
    if (has_block) {
        walk(block, place, unit == 0u);
        s_ends[order] = length;
    }
    wg_sync();
    uint ends[1];
    ends[0] = s_ends[me];
    uint total = wg_scan(ends);
    s_ends[me] = ends[0];
    wg_sync();
    uint begin = s_ends[min(order, uint(GROUP) - 1u)];
    if (is_there && me == 0u) {
        groups[group].x = total;
    }
    writes = true;
    uint words = (total + 31u) / 32u;
    for (uint base = 0u; base < words; base += WINDOW) { // the same for all
        uint count = min(words - base, WINDOW);
        for (uint i = me; i < count; i += uint(GROUP)) {
            s_window[i] = 0u;
        }
        wg_sync();
        if (has_block && begin < 32u * (base + WINDOW) && begin + length > 32u * base) {
            word = begin / 32u - base;
            used = begin & 31u;
            pending = 0u;
            walk(block, place, unit == 0u);
            if (used > 0u) {
                put_word();
            }
        }
        wg_sync();
        for (uint i = me; i < count; i += uint(GROUP)) {
            if (base + i < u_room) {
                bits_of_groups[group * u_room + base + i] = s_window[i];
            }
        }
        wg_sync();
    }
}
