#version 430 core
// Connected components, first pass: joins the runs (lib/runs.glsl) of blocks of 128 x 32 pixels.
//
// Reads   b_bits     the mask (mask/bits.comp)
//         b_choice   CHOSEN 1: a part of it
// Writes  b_parents  for each run the root of its set in its block. A word of the mask has room for 16, and only as
//                    many are written as it has runs
//         b_roots    for each word of the mask, which of its runs are roots, a bit for each run
//         b_chosen   CHOSEN 1: the same of those alone whose sets have a pixel of b_choice
// Group grid         x and y the blocks; any order
// Shared bytes       8704; CHOSEN 1: 9216
// Source             D. P. Playne, K. Hawick 2018 (lib/union_find.glsl); S. Allegretti, F. Bolelli, C. Grana, Optimized
//                    Block-Based Algorithms to Label Connected Components on GPUs, IEEE TPDS 31, 2019: blocks, then borders
//
// @define EIGHT  0|1   lib/runs.glsl
// @define CHOSEN 0|1
#define WORDS 4u // of a row of a block
#define ROWS 32u
#define GROUP 128
layout(local_size_x = GROUP) in;

#include "lib/sync.glsl"
#include "lib/runs.glsl"
#include "lib/labels.glsl"

layout(std430) readonly buffer b_bits { uint bits[]; };
layout(std430) writeonly buffer b_parents { uint parents[]; };
layout(std430) writeonly buffer b_roots { uint roots[]; };
#if CHOSEN == 1
layout(std430) readonly buffer b_choice { uint choice[]; };
layout(std430) writeonly buffer b_chosen { uint chosen[]; };
shared uint s_chosen[GROUP];
#endif

uniform uint u_rows;
uniform uint u_row_words;

shared uint s_bits[GROUP];
shared uint s_parents[GROUP * 16]; // runs of the same rank lie side by side, in different banks

#define PARENT(run) s_parents[((run) & 15u) * uint(GROUP) + ((run) >> 4)]
#include "lib/union_find.glsl"

// A word of the block, and its neighbours there: 0 beyond the block.
struct Place {
    uint word; // its number in the block
    uint bits;
    uint left;
    uint above;
    uint above_left;
};

Place place_here(uint bits_here) {
    uint word = gl_LocalInvocationIndex;
    bool has_left = word % WORDS > 0u;
    bool has_above = word >= WORDS;
    return Place(word, bits_here, has_left ? s_bits[word - 1u] : 0u, has_above ? s_bits[word - WORDS] : 0u,
                 has_left && has_above ? s_bits[word - WORDS - 1u] : 0u);
}

uint run_above(Place p, int bit) {
    return run_of_rank(p.word - WORDS, rank_at(starts_of(p.above), bit), p.above_left);
}

// Gives each run a parent, by plain stores: the first of the runs above that it touches. If the run continues from the
// left, its parent is the run it continues. Returns the pairs for which there is no room.
uint link_runs(Place p) {
    uint starts = starts_of(p.bits);
    for (int rank = 0; rank < bitCount(starts); ++rank) {
        uint run = p.word * 16u + uint(rank);
        PARENT(run) = run;
    }
    bool goes_on = (p.bits & 1u) != 0u && p.left >> 31 != 0u;
    if (goes_on) {
        PARENT(p.word * 16u) = run_of_rank(p.word, -1, p.left);
    }
    int linked = goes_on ? 0 : -1; // the last run that has a parent
    uint rest = 0u;
    for (uint pairs = pairs_of(p.bits, p.left, p.above, p.above_left); pairs != 0u; pairs &= pairs - 1u) {
        int bit = findLSB(pairs);
        int rank = rank_at(starts, bit);
        if (rank > linked) {
            linked = rank;
            PARENT(p.word * 16u + uint(rank)) = run_above(p, bit);
        } else {
            rest |= 1u << bit;
        }
    }
    return rest;
}

void main() {
    uint column = gl_WorkGroupID.x * WORDS + gl_LocalInvocationIndex % WORDS;
    uint row = gl_WorkGroupID.y * ROWS + gl_LocalInvocationIndex / WORDS;
    bool inside = column < u_row_words && row < u_rows;
    uint here = inside ? bits[row * u_row_words + column] : 0u;
    s_bits[gl_LocalInvocationIndex] = here;
#if CHOSEN == 1
    s_chosen[gl_LocalInvocationIndex] = 0u;
    uint wanted = inside ? choice[row * u_row_words + column] : 0u;
#endif
    wg_sync();
    Place p = place_here(here);
    uint rest = link_runs(p);
    wg_sync();
    for (uint pairs = rest; pairs != 0u; pairs &= pairs - 1u) {
        int bit = findLSB(pairs);
        unite(run_of_rank(p.word, rank_at(starts_of(here), bit), p.left), run_above(p, bit));
    }
    wg_sync();
    if (inside) {
        uint found = 0u;
        uint word = row * u_row_words + column;
        int runs = bitCount(starts_of(here));
        for (int rank = 0; rank < runs; ++rank) {
            uint run = p.word * 16u + uint(rank);
            uint root = root_of(run);
            found |= (root == run ? 1u : 0u) << rank;
            uint block_word = root >> 4;
            uint root_row = gl_WorkGroupID.y * ROWS + block_word / WORDS;
            uint root_word = root_row * u_row_words + gl_WorkGroupID.x * WORDS + block_word % WORDS;
            parents[place_of(word * 16u + uint(rank))] = root_word * 16u + (root & 15u);
#if CHOSEN == 1
            uint pixels = here & ~(here + (here & (~here + 1u))); // of the first run that is left
            here &= ~pixels;
            uint bit = 1u << (root & 15u);
            if ((pixels & wanted) != 0u && (s_chosen[block_word] & bit) == 0u) { // a set may have many such pixels
                atomicOr(s_chosen[block_word], bit);
            }
#endif
        }
        roots[word] = found;
    }
#if CHOSEN == 1
    wg_sync();
    if (inside) {
        chosen[row * u_row_words + column] = s_chosen[gl_LocalInvocationIndex];
    }
#endif
}
