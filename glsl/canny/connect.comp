#version 430 core
// Canny's edges, last step where the mask comes in bands: of the components of weak pixels those with a strong pixel are kept.
//
// Reads    b_weak     the mask of weak pixels
//          b_parents  its components, after components/number.comp
//          b_strong   STEP 0: the strong pixels, u_words words
//          b_kept     STEP 1: for each label, label 1 first, whether it is kept
// Updates  b_marks    STEP 0: the same of those with a strong pixel; cleared before
// Writes   b_edges    STEP 1: the mask of pixels that are kept, u_words words
// Group grid          lib/group.glsl, an invocation a word; any order
// Shared bytes        none
// Source              J. Canny, A Computational Approach to Edge Detection, IEEE PAMI 8, 1986: hysteresis
//
// @define STEP 0|1
layout(local_size_x = 256) in;
#include "lib/group.glsl"
#include "lib/labels.glsl"

layout(std430) readonly buffer b_weak { uint weak[]; };
layout(std430) readonly buffer b_parents { uint parents[]; };
#if STEP == 0
layout(std430) readonly buffer b_strong { uint strong[]; };
layout(std430) buffer b_marks { uint marks[]; };
#else
layout(std430) readonly buffer b_kept { uint kept[]; };
layout(std430) writeonly buffer b_edges { uint edges[]; };
#endif

uniform uint u_words;
uniform uint u_first_word; // of b_weak: the rows before belong to another band

// Of the component of a run, from 0.
uint label_of(uint run) {
    uint parent = parents[place_of(run)];
    uint label = (parent & LABELLED) != 0u ? parent : parents[place_of(parent)];
    return (label & ~LABELLED) - 1u;
}

void main() {
    uint word = linear_invocation();
    if (word < u_words) {
        uint place = u_first_word + word;
        uint found = 0u;
#if STEP == 0
        uint wanted = strong[word];
#else
        uint wanted = ~0u;
#endif
        uint run = place * 16u;
        for (uint left = wanted != 0u ? weak[place] : 0u; left != 0u; ++run) {
            uint pixels = left & ~(left + (left & (~left + 1u))); // of the first run
            left &= ~pixels;
            if ((pixels & wanted) != 0u) {
#if STEP == 0
                marks[label_of(run)] = 1u;
#else
                found |= kept[label_of(run)] != 0u ? pixels : 0u;
#endif
            }
        }
#if STEP == 1
        edges[word] = found;
#endif
    }
}
