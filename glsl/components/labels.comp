#version 430 core
// Connected components, last pass: the label of every pixel, 0 where the mask is not set.
//
// Reads   b_bits     the mask
//         b_parents  after components/number.comp
//         b_numbers  MAPPED: the replacement of each label; word 0 belongs to label 1
// Writes  b_labels   rows of u_width, beginning with pixel u_first_pixel
// Group grid         lib/group.glsl, a group for 64 words of the mask: u_words of them, beginning with u_first_word;
//                    any order
// Shared bytes       4608
// Source             none: a look-up
//
// @define MAPPED 0|1
#define GROUP 256
#define WORDS 64u // of a group
layout(local_size_x = GROUP) in;
#include "lib/group.glsl"
#include "lib/sync.glsl"
#define EIGHT 0
#include "lib/runs.glsl"

layout(std430) readonly buffer b_bits { uint bits[]; };
layout(std430) readonly buffer b_parents { uint parents[]; };
#include "lib/run_labels.glsl"
#if MAPPED == 1
layout(std430) readonly buffer b_numbers { uint numbers[]; };
#endif
layout(std430) writeonly buffer b_labels { uint labels[]; };

uniform uint u_width; // pixels
uniform uint u_row_words;
uniform uint u_first_word;
uniform uint u_words;
uniform uint u_first_pixel;

shared uint s_bits[WORDS];
shared uint s_labels[WORDS * 17u]; // 16 runs a word, and one to keep words in different banks

uint shown_label_of(uint run) {
    uint label = label_of(run);
#if MAPPED == 1
    label = numbers[label - 1u];
#endif
    return label;
}

// Labels of the runs of a word, by four invocations side by side.
void look_up(uint group_word, uint lane) {
    uint word = linear_group() * WORDS + group_word;
    uint here = word < u_words ? bits[u_first_word + word] : 0u;
    if (lane == 0u) {
        s_bits[group_word] = here;
    }
    for (uint rank = lane; rank < uint(bitCount(starts_of(here))); rank += 4u) {
        s_labels[group_word * 17u + rank] = shown_label_of((u_first_word + word) * 16u + rank);
    }
}

void store(uint group_word, uint bit) {
    uint word = linear_group() * WORDS + group_word;
    uint place = u_first_word + word;
    uint y = place / u_row_words;
    uint x = (place - y * u_row_words) * 32u + bit;
    uint here = s_bits[group_word];
    int rank = rank_at(starts_of(here), int(bit));
    if (word < u_words && x < u_width) {
        bool is_set = (here >> bit & 1u) != 0u;
        labels[y * u_width + x - u_first_pixel] = is_set ? s_labels[group_word * 17u + uint(rank)] : 0u;
    }
}

void main() {
    look_up(gl_LocalInvocationIndex / 4u, gl_LocalInvocationIndex % 4u);
    wg_sync();
    for (uint word = gl_LocalInvocationIndex / 32u; word < WORDS; word += uint(GROUP) / 32u) {
        store(word, gl_LocalInvocationIndex % 32u);
    }
}
