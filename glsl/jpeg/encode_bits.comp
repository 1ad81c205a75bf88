#version 430 core
// Codes the blocks of each group into bits. They begin at bit 0 of a part of b_bits, the first in the highest bit of a
// word. Bits that the part has no room for are counted but not written.
//
// Each block's bits are first put together on their own, which tells how many there are and where each block begins.
// Then they move to their places in shared memory, WINDOW words at a time. Blocks of more than PART words are coded a
// second time instead.
//
// Reads    b_pictures, b_blocks, b_coefficients
//          b_codes     1024 of a picture
// Writes   b_bits      u_room words of each group
//          b_groups    the number of bits of each; jpeg/encode_offsets.comp sets the second value
// Group grid       x covers the groups of a strip, y the strips of a picture, z the pictures; any order
// Shared bytes     5248. A group with more is slow, because fewer fit on the device. A photo of 3.7 megapixels takes
//                  15.2 us. With the parts in shared memory and a window of 2048 words (28800 bytes) it takes 86 us
//                  (H100, driver 580.159.04, 2026-11-25)
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

#define WINDOW 512u
#define PART 16u

shared uint s_codes[SYMBOLS];
shared uint s_window[WINDOW]; // before it is one: the bits of each block, and where they begin

uint part[PART]; // the first words of this invocation's block
bool in_window = false; // where the bits go: or into a part
uint word = 0u;         // of it: where the next bit goes
uint used = 0u;         // bits of this word
uint pending = 0u;      // these bits

void put_into_window(uint at, uint bits) {
    if (at < WINDOW) {
        atomicOr(s_window[at], bits);
    }
}

void put_word() {
    if (in_window) {
        put_into_window(word, pending);
    } else if (word < PART) {
        part[word] = pending;
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

void take(uint place, uint bits, uint count) {
    uint code = s_codes[place];
    put((code & 0xffffu) << count | bits, (code >> 16) + count);
}

#include "jpeg/encode_walk.glsl"

// Moves a part to bit `begin`, which may lie before the window that begins with word `base`.
void move_part(uint base, uint begin, uint length) {
    uint shift = begin & 31u;
    uint at = begin / 32u - base;
    uint carried = 0u;
    for (uint i = 0u; i < PART && 32u * i < length; ++i) {
        uint bits = part[i];
        put_into_window(at + i, carried | bits >> shift);
        carried = shift == 0u ? 0u : bits << (32u - shift);
    }
    put_into_window(at + (length + 31u) / 32u, carried);
}

void main() {
    picture = gl_WorkGroupID.z;
    uint me = gl_LocalInvocationIndex;
    uint strip = gl_WorkGroupID.y;
    uint unit_blocks = fact(FACT_UNIT_BLOCKS);
    uint luma = luma_blocks();
    uint per_group = GROUP_BLOCKS / unit_blocks;
    uint place = me / per_group;
    uint unit = gl_WorkGroupID.x * per_group + me % per_group; // of the strip
    uint strip_unit = strip * fact(FACT_STRIP_UNITS);
    uint group = fact(FACT_FIRST_GROUP) + strip * fact(FACT_STRIP_GROUPS) + gl_WorkGroupID.x;
    bool is_there = strip < fact(FACT_STRIPS) && gl_WorkGroupID.x < fact(FACT_STRIP_GROUPS);
    bool has_block = is_there && place < unit_blocks && unit < fact(FACT_STRIP_UNITS) &&
                     strip_unit + unit < fact(FACT_UNITS);
    uint block = fact(FACT_FIRST_BLOCK) + (strip_unit + unit) * unit_blocks + place;
    uint order = min(me % per_group * unit_blocks + place, uint(GROUP) - 1u); // of the block within the group
    for (uint i = me; i < SYMBOLS; i += uint(GROUP)) {
        s_codes[i] = codes[1024u * picture + global_place(i)];
    }
    s_window[me] = 0u;
    wg_sync();
    uint length = 0u;
    if (has_block) {
        walk(block, place, unit_blocks, luma, unit == 0u);
        length = 32u * word + used;
        if (used > 0u) {
            put_word();
        }
        s_window[order] = length;
    }
    wg_sync();
    uint ends[1];
    ends[0] = s_window[me];
    uint total = wg_scan(ends);
    s_window[me] = ends[0];
    wg_sync();
    uint begin = s_window[order];
    if (is_there && me == 0u) {
        groups[group].x = total;
    }
    wg_sync(); // the window is cleared
    in_window = true;
    uint words = (total + 31u) / 32u;
    for (uint base = 0u; base < words; base += WINDOW) { // the same for all
        uint count = min(words - base, WINDOW);
        for (uint i = me; i < count; i += uint(GROUP)) {
            s_window[i] = 0u;
        }
        wg_sync();
        if (has_block && begin < 32u * (base + WINDOW) && begin + length > 32u * base) {
            if (length <= 32u * PART) {
                move_part(base, begin, length);
            } else {
                word = begin / 32u - base;
                used = begin & 31u;
                pending = 0u;
                walk(block, place, unit_blocks, luma, unit == 0u);
                put_into_window(word, pending);
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
