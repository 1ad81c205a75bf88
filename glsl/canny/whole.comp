#version 430 core
// Canny's edges, last steps where the mask is one band: of the components of weak pixels those with a strong pixel are kept.
//
// After components/blocks.comp the roots of blocks are chosen whose sets there have a strong pixel. STEP 0 chooses the roots of their
// components, STEP 1 all roots of blocks in these components, and STEP 2 the runs of these roots. So only the few roots of
// blocks go the way to the roots of their components.
//
// Reads    b_parents  for each run the root of its block, for that one the way to its component's (components/borders.comp)
//          b_roots    STEP 1: the roots of blocks, as components/blocks.comp leaves them
//          b_weak     STEP 2: the mask of weak pixels
// Updates  b_chosen   for each word of the mask, which of its runs are chosen roots, a bit for each run; STEP 2: read alone
// Writes   b_edges    STEP 2: the mask of pixels that are kept
// Group grid          lib/group.glsl, an invocation a word of the mask; any order
// Shared bytes        none
// Source              J. Canny, A Computational Approach to Edge Detection, IEEE PAMI 8, 1986: hysteresis
//
// @define STEP 0|1|2
layout(local_size_x = 256) in;
#include "lib/group.glsl"
#include "lib/labels.glsl"

layout(std430) readonly buffer b_parents { uint parents[]; };
#if STEP == 2
layout(std430) readonly buffer b_weak { uint weak[]; };
layout(std430) readonly buffer b_chosen { uint chosen[]; };
layout(std430) writeonly buffer b_edges { uint edges[]; };
#else
#if STEP == 1
layout(std430) readonly buffer b_roots { uint roots[]; };
#endif
layout(std430) coherent buffer b_chosen { uint chosen[]; };
#endif

uniform uint u_words;

bool is_chosen(uint run) {
    return (chosen[run >> 4] >> (run & 15u) & 1u) != 0u;
}

uint root_of(uint run) {
    uint parent = parents[place_of(run)];
    while (parent != run) {
        run = parent;
        parent = parents[place_of(run)];
    }
    return run;
}

void main() {
    uint word = linear_invocation();
    if (word >= u_words) {
        return;
    }
#if STEP == 0
    for (uint left = chosen[word]; left != 0u; left &= left - 1u) {
        uint root = root_of(word * 16u + uint(findLSB(left)));
        if (!is_chosen(root)) { // a component may have many strong pixels
            atomicOr(chosen[root >> 4], 1u << (root & 15u));
        }
    }
#elif STEP == 1
    uint own = chosen[word]; // the bits of components' roots stay as they are
    uint found = own;
    for (uint left = roots[word] & ~own; left != 0u; left &= left - 1u) {
        int rank = findLSB(left);
        found |= is_chosen(root_of(word * 16u + uint(rank))) ? 1u << rank : 0u;
    }
    if (found != own) {
        chosen[word] = found;
    }
#else
    uint found = 0u;
    uint run = word * 16u;
    for (uint left = weak[word]; left != 0u; ++run) {
        uint pixels = left & ~(left + (left & (~left + 1u))); // of the first run
        left &= ~pixels;
        found |= is_chosen(parents[place_of(run)]) ? pixels : 0u;
    }
    edges[word] = found;
#endif
}
