#version 430 core
// Connected components, second pass: joins runs across the borders of the blocks of components/blocks.comp.
//
// Reads    b_bits     the mask
// Updates  b_parents  for each run the root in its block; these roots then get a root in their set
// Group grid          lib/group.glsl: an invocation a word below a border, then one a word right of a border; any order
// Shared bytes        none
// Source              see components/blocks.comp
//
// @define EIGHT 0|1   lib/runs.glsl
#define WORDS 4u // of a row of a block
#define ROWS 32u
layout(local_size_x = 256) in;

#include "lib/group.glsl"
#include "lib/runs.glsl"
#include "lib/labels.glsl"

layout(std430) readonly buffer b_bits { uint bits[]; };
layout(std430) coherent buffer b_parents { uint parents[]; };

uniform uint u_rows;
uniform uint u_row_words;

#define PARENT(run) parents[place_of(run)]
#include "lib/union_find.glsl"

// Joins the roots that two runs have in their blocks; a run's own parent stays a root of its block.
void unite_runs(uint a, uint b) {
    unite(PARENT(a), PARENT(b));
}

void join_above(uint row, uint column) {
    uint word = row * u_row_words + column;
    uint here = bits[word];
    uint above = bits[word - u_row_words];
    uint left = column > 0u ? bits[word - 1u] : 0u;
    uint above_left = column > 0u ? bits[word - u_row_words - 1u] : 0u;
    for (uint pairs = pairs_of(here, left, above, above_left); pairs != 0u; pairs &= pairs - 1u) {
        int bit = findLSB(pairs);
        unite_runs(run_of_rank(word, rank_at(starts_of(here), bit), left),
                   run_of_rank(word - u_row_words, rank_at(starts_of(above), bit), above_left));
    }
}

// For a word right of a border: if the row above joins the same runs, nothing is left to do.
void join_left(uint row, uint column) {
    uint word = row * u_row_words + column;
    bool has_above = row % ROWS > 0u;
    bool here = (bits[word] & 1u) != 0u;
    bool above = has_above && (bits[word - u_row_words] & 1u) != 0u;
    uint left = bits[word - 1u];
    uint above_left = has_above ? bits[word - u_row_words - 1u] : 0u;
    bool is_left = left >> 31 != 0u;
    bool is_above_left = above_left >> 31 != 0u;
    if (here && is_left && !(above && is_above_left)) {
        unite_runs(word * 16u, run_of_rank(word, -1, left));
    }
#if EIGHT == 1
    if (here && is_above_left && !is_left && !above) {
        unite_runs(word * 16u, run_of_rank(word - u_row_words, -1, above_left));
    }
    if (above && is_left && !here && !is_above_left) {
        unite_runs((word - u_row_words) * 16u, run_of_rank(word, -1, left));
    }
#endif
}

void main() {
    uint i = linear_invocation();
    uint rows_below = (u_rows - 1u) / ROWS;
    uint columns_right = (u_row_words - 1u) / WORDS;
    uint words_below = rows_below * u_row_words;
    if (i < words_below) {
        join_above((i / u_row_words + 1u) * ROWS, i % u_row_words);
    } else if (i - words_below < columns_right * u_rows) {
        uint j = i - words_below;
        join_left(j / columns_right, (j % columns_right + 1u) * WORDS);
    }
}
