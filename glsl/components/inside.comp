#version 430 core
// A mask without the components that touch the border of the picture, or all but those: a grey picture, white on black.
//
// Reads   b_bits     the mask
//         b_parents  after components/number.comp
//         b_outside  components/outside.comp
// Writes  i_dst      the picture
// Group grid         lib/group.glsl, an invocation for each word of the mask; any order
// Shared bytes       none
// Source             none: a look-up
//
// @define DST_DEPTH 8|16|32  bits of a pixel
layout(local_size_x = 64) in;
#include "lib/group.glsl"
#define EIGHT 0
#include "lib/runs.glsl"
#include "lib/put_lane.glsl"

layout(std430) readonly buffer b_bits { uint bits[]; };
layout(std430) readonly buffer b_parents { uint parents[]; };
layout(std430) readonly buffer b_outside { uint outside[]; };
layout(rgba32ui) writeonly uniform uimage2D i_dst;
#include "lib/run_labels.glsl"

uniform uint u_width; // pixels
uniform uint u_words;
uniform uint u_row_words;
uniform uint u_white;
uniform uint u_flip; // 0xffffffff: all but components that touch the border

#define PIXELS (128 / DST_DEPTH)

// The pixels of a word that belong to such components.
uint outside_of(uint word, uint here) {
    uint found = 0u;
    uint run = word * 16u;
    for (uint starts = starts_of(here); starts != 0u; starts &= starts - 1u, ++run) {
        uint label = label_of(run) - 1u;
        if ((outside[label / 32u] >> (label & 31u) & 1u) != 0u) {
            uint begin = starts & ~(starts - 1u);
            found |= here & ~(here + begin); // the carry clears the run
        }
    }
    return found;
}

void main() {
    uint word = linear_invocation();
    if (word >= u_words) {
        return;
    }
    uint y = word / u_row_words;
    uint x = (word - y * u_row_words) * 32u;
    uint here = bits[word];
    uint white = (here | u_flip) & ~outside_of(word, here);
    for (uint first = 0u; first < 32u && x + first < u_width; first += uint(PIXELS)) {
        uvec4 texel = uvec4(0u);
        for (int i = 0; i < PIXELS; ++i) {
            bool is_white = x + first + uint(i) < u_width && (white >> (first + uint(i)) & 1u) != 0u;
            put_lane(texel, i, is_white ? u_white : 0u);
        }
        imageStore(i_dst, ivec2((x + first) / uint(PIXELS), y), texel);
    }
}
