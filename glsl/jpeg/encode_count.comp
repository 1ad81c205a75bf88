#version 430 core
// Counts how often each symbol occurs, in each picture that gets Huffman tables of its own.
//
// Reads    b_pictures, b_blocks, b_coefficients
// Updates  b_counts    1024 of a picture: 256 of each of its four tables
// Group grid       x covers the units of the largest picture, TURNS times as many in each group as fit into it, z the pictures; any order
// Shared bytes     2176. With two or four copies of each count, fewer groups fit at a time. That was slower: 10.4 and
//                  13.3 us instead of 10.3 for a photo of 3.7 megapixels (H100, driver 580.159.04, 2026-11-25)
// Source           V. Podlozhnyuk, Histogram calculation in CUDA, NVIDIA 2007: sub-histograms in shared memory
#include "lib/sync.glsl"
#include "jpeg/encode_facts.glsl"
#include "jpeg/encode_symbols.glsl"

#define GROUP 256
layout(local_size_x = GROUP) in;

layout(std430) buffer b_counts { uint counts[]; };

#define TURNS 4u

shared uint s_counts[SYMBOLS];

void take(uint place, uint bits, uint count) {
    atomicAdd(s_counts[place], 1u);
}

#include "jpeg/encode_walk.glsl"

void count_blocks() {
    uint unit_blocks = fact(FACT_UNIT_BLOCKS);
    uint units = fact(FACT_UNITS);
    uint strip_units = fact(FACT_STRIP_UNITS);
    uint first = fact(FACT_FIRST_BLOCK);
    uint luma = luma_blocks();
    uint per_group = GROUP_BLOCKS / unit_blocks;
    uint place = gl_LocalInvocationIndex / per_group;
    if (place >= unit_blocks) {
        return;
    }
    for (uint turn = 0u; turn < TURNS; ++turn) {
        uint unit = (gl_WorkGroupID.x * TURNS + turn) * per_group + gl_LocalInvocationIndex % per_group;
        if (unit < units) {
            walk(first + unit * unit_blocks + place, place, unit_blocks, luma, unit % strip_units == 0u);
        }
    }
}

void main() {
    picture = gl_WorkGroupID.z;
    uint me = gl_LocalInvocationIndex;
    for (uint i = me; i < SYMBOLS; i += uint(GROUP)) {
        s_counts[i] = 0u;
    }
    wg_sync();
    if (fact(FACT_OWN_TABLES) == 1u) {
        count_blocks();
    }
    wg_sync();
    for (uint i = me; i < SYMBOLS; i += uint(GROUP)) {
        if (s_counts[i] != 0u) {
            atomicAdd(counts[picture * 1024u + global_place(i)], s_counts[i]);
        }
    }
}
