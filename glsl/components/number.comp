#version 430 core
// Connected components, fifth pass: every root of a block gets its label, instead of its parent. Labels are 1, 2, … in
// the order of the components' first pixels, row by row.
//
// Reads    b_roots    roots of blocks
//          b_ranks    components/count.comp
//          b_counts   arrays/labels/offsets.comp
// Updates  b_parents  for roots of blocks, becomes LABELLED (lib/labels.glsl) with their label
// Group grid          lib/group.glsl, an invocation for each word of the mask; any order: if another invocation has
//                     already replaced a parent, it is the label that is wanted
// Shared bytes        none
// Source              see components/blocks.comp
layout(local_size_x = 256) in;
#include "lib/group.glsl"
#include "lib/labels.glsl"

layout(std430) readonly buffer b_roots { uint roots[]; };
layout(std430) readonly buffer b_ranks { uint ranks[]; };
layout(std430) readonly buffer b_counts { uint counts[]; };
layout(std430) coherent buffer b_parents { uint parents[]; };

uniform uint u_words;

#define CHUNK_WORDS 2048u // of components/count.comp

// The label of a run that is the root of a set, else 0.
uint label_of_root(uint run) {
    uint word = run >> 4;
    uint rank = run & 15u;
    uint ranked = ranks[word];
    uint before = ranked & ((1u << rank) - 1u); // the word's roots before it
    uint label = counts[word / CHUNK_WORDS] + (ranked >> 16) + uint(bitCount(before)) + 1u;
    return (ranked >> rank & 1u) != 0u ? LABELLED | label : 0u;
}

uint label_of(uint run) {
    uint label = label_of_root(run);
    while (label == 0u) {
        uint parent = parents[place_of(run)]; // smaller than its child, or a label
        bool is_lost = parent >= run; // a root that is not marked as one: a driver that computes wrongly shall not hang
        label = (parent & LABELLED) != 0u ? parent : is_lost ? LABELLED : label_of_root(parent);
        run = parent;
    }
    return label;
}

void main() {
    uint word = linear_invocation();
    for (uint left = word < u_words ? roots[word] : 0u; left != 0u; left &= left - 1u) {
        uint run = word * 16u + uint(findLSB(left));
        parents[place_of(run)] = label_of(run);
    }
}
