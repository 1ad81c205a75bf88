#version 430 core
// Marks the components that touch the border of the picture.
//
// Reads    b_bits     the mask
//          b_parents  after components/number.comp
// Updates  b_outside  a bit for each label, beginning with label 1; all 0 before
// Group grid          lib/group.glsl: an invocation for each pixel of the first and of the last row, then of the
//                     first and of the last column; any order
// Shared bytes        none
// Source              none: a look-up
layout(local_size_x = 64) in;
#include "lib/group.glsl"
#define EIGHT 0
#include "lib/runs.glsl"

layout(std430) readonly buffer b_bits { uint bits[]; };
layout(std430) readonly buffer b_parents { uint parents[]; };
layout(std430) buffer b_outside { uint outside[]; };
#include "lib/run_labels.glsl"

uniform uint u_width; // pixels
uniform uint u_height;
uniform uint u_row_words;

void mark(uint x, uint y) {
    uint word = y * u_row_words + x / 32u;
    uint here = bits[word];
    if ((here >> (x & 31u) & 1u) != 0u) {
        uint label = label_of(word * 16u + uint(rank_at(starts_of(here), int(x & 31u)))) - 1u;
        uint bit = 1u << (label & 31u);
        if ((outside[label / 32u] & bit) == 0u) { // a component may touch it at every pixel
            atomicOr(outside[label / 32u], bit);
        }
    }
}

void main() {
    uint i = linear_invocation();
    uint in_rows = 2u * u_width;
    if (i < in_rows) {
        mark(i % u_width, i < u_width ? 0u : u_height - 1u);
    } else if (i - in_rows < 2u * u_height) {
        uint j = i - in_rows;
        mark(j < u_height ? 0u : u_width - 1u, j % u_height);
    }
}
