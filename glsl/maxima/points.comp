#version 430 core
// The first pixel of each plateau of candidates, row by row, with its value.
//
// Reads   i_src     the grey picture: its first channel counts
//         b_bits    candidates (maxima/candidates.comp)
//         b_ranks   of each word, the runs that begin a plateau (components/count.comp): the first run of a component is the
//                   root of its set, and begins with its first pixel
//         b_counts  plateaus before each chunk (arrays/labels/offsets.comp)
// Writes  b_points  for each plateau the number of its first pixel, row by row, and the bits of its value
// Group grid        lib/group.glsl, an invocation for each word of the mask; any order
// Shared bytes      none
//
// @define CHANNELS  1|2       as stored
// @define SRC_DEPTH 8|16|32   bits of a channel
#define EIGHT 1
#define CHUNK_WORDS 2048u // of components/count.comp
#include "lib/texel.glsl"
#include "lib/runs.glsl"

layout(local_size_x = 256) in;
#include "lib/group.glsl"

layout(std430) readonly buffer b_bits { uint bits[]; };
layout(std430) readonly buffer b_ranks { uint ranks[]; };
layout(std430) readonly buffer b_counts { uint counts[]; };
layout(std430) writeonly buffer b_points { uvec2 points[]; };

uniform uint u_words;
uniform uint u_row_words;
uniform uint u_points; // places in b_points

void main() {
    uint word = linear_invocation();
    uint ranked = word < u_words ? ranks[word] : 0u;
    uint firsts = ranked & 0xffffu;
    if (firsts == 0u) {
        return;
    }
    uint y = word / u_row_words;
    uint column = (word - y * u_row_words) * 32u;
    uint point = counts[word / CHUNK_WORDS] + (ranked >> 16);
    for (uint starts = starts_of(bits[word]); firsts != 0u; starts &= starts - 1u, firsts >>= 1) {
        if ((firsts & 1u) != 0u && point < u_points) {
            uint x = column + uint(findLSB(starts));
            uvec4 texel = texel_at(ivec2(int(x) / SRC_PIXELS, int(y)));
            uint value = lane_bits(texel, int(x) % SRC_PIXELS * CHANNELS);
            points[point++] = uvec2(y * uint(u_size.x) + x, value);
        }
    }
}
