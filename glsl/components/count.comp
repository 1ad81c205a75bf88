#version 430 core
// Connected components, third pass: counts the roots of sets, and finds the place of each in its chunk of 2048 words.
//
// Reads   b_parents  after components/borders.comp
//         b_roots    roots of blocks
// Writes  b_ranks    of each word: in the low half its roots, in the high half how many there are before them in the
//                    chunk
//         b_counts   roots of each chunk
// Group grid         lib/group.glsl, a group a chunk
// Shared bytes       1024
// Source             none: sums
#define GROUP 256
#define QUADS 1
#define FLOAT 0
#define SUBGROUP 0
#define EACH 8u // words of an invocation
#include "lib/wg_scan.glsl"
layout(local_size_x = GROUP) in;
#include "lib/group.glsl"
#include "lib/labels.glsl"

layout(std430) readonly buffer b_parents { uint parents[]; };
layout(std430) readonly buffer b_roots { uint roots[]; };
layout(std430) writeonly buffer b_ranks { uint ranks[]; };
layout(std430) writeonly buffer b_counts { uint counts[]; };

uniform uint u_words; // of the mask

uint roots_of_word(uint word) {
    uint found = 0u;
    for (uint left = word < u_words ? roots[word] & 0xffffu : 0u; left != 0u; left &= left - 1u) {
        uint rank = uint(findLSB(left));
        uint run = word * 16u + rank;
        found |= (parents[place_of(run)] == run ? 1u : 0u) << rank;
    }
    return found;
}

void main() {
    uint chunk = linear_group();
    uint first = chunk * uint(GROUP) * EACH + gl_LocalInvocationIndex * EACH;
    uint found[EACH];
    uint sums[1];
    sums[0] = 0u;
    for (uint i = 0u; i < EACH; ++i) {
        found[i] = roots_of_word(first + i);
        sums[0] += uint(bitCount(found[i]));
    }
    uint total = wg_scan(sums);
    uint before = sums[0];
    for (uint i = 0u; i < EACH; ++i) {
        if (first + i < u_words) {
            ranks[first + i] = before << 16 | found[i];
            before += uint(bitCount(found[i]));
        }
    }
    if (gl_LocalInvocationIndex == 0u && chunk * uint(GROUP) * EACH < u_words) {
        counts[chunk] = total;
    }
}
