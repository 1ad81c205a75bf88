#version 430 core
// Pixels that are the largest of the window around them, as bits, and the least value of all.
//
// Reads    i_src      the grey picture: its first channel counts
//          i_largest  the largest value of the window around each pixel, of the same format
// Writes   b_bits     u_row_words words for each of u_rows rows: 32 pixels a word, the first in bit 0
// Updates  b_least    the smallest key (lib/keys.glsl) of those rows; NaN and hidden pixels do not count
// Group grid          lib/group.glsl, an invocation a word; any order
// Shared bytes        4
//
// @define CHANNELS  1|2       as stored
// @define SRC_DEPTH 8|16|32   bits of a channel
// @define HIDES     0|1       whether the last channel is alpha, where 0 hides a pixel
// @skip CHANNELS=1 HIDES=1
#include "lib/texel.glsl"
#include "lib/hidden.glsl"
#include "lib/keys.glsl"
#include "lib/sync.glsl"

layout(local_size_x = 256) in;
#include "lib/group.glsl"

layout(rgba32ui) readonly uniform uimage2D i_largest;
layout(std430) writeonly buffer b_bits { uint bits[]; };
layout(std430) buffer b_least { uint least_key; };

uniform uint u_row_words;
uniform int u_first_row;   // of the image: the first of the rows
uniform int u_rows;
uniform ivec2 u_kept_rows; // of the image: candidates are among these, the second excluded
uniform int u_border;      // columns on each side where there are no candidates
uniform uint u_from;       // the smallest key of a candidate

#define TEXELS (32 / SRC_PIXELS) // of a word

shared uint s_least;

// Floats: -0 equals 0.
bool is_same(uint a, uint b) {
#if SRC_DEPTH == 32
    return a == b || ((a | b) << 1) == 0u;
#else
    return a == b;
#endif
}

void main() {
    uint word = linear_invocation();
    int y = int(word / u_row_words);
    int column = int(word - uint(y) * u_row_words) * 32;
    uint least = NO_KEY;
    if (gl_LocalInvocationIndex == 0u) {
        s_least = NO_KEY;
    }
    wg_sync();
    if (y < u_rows) {
        int row = u_first_row + y;
        bool is_kept = row >= u_kept_rows.x && row < u_kept_rows.y;
        uint found = 0u;
        for (int t = 0; t < TEXELS; ++t) {
            ivec2 at = ivec2(column / SRC_PIXELS + t, row);
            uvec4 here = texel_at(at);
            uvec4 largest = imageLoad(i_largest, at);
            for (int pixel = 0; pixel < SRC_PIXELS; ++pixel) {
                int x = column + t * SRC_PIXELS + pixel;
                uint value = lane_bits(here, pixel * CHANNELS);
                bool is_hidden = HIDES == 1 && hides(lane_bits(here, pixel * CHANNELS + CHANNELS - 1));
                uint key = x < u_size.x && !is_hidden ? key_of(value) : NO_KEY;
                least = min(least, key);
                bool is_candidate = is_kept && x >= u_border && x < u_size.x - u_border && key != NO_KEY && key >= u_from &&
                                    is_same(value, lane_bits(largest, pixel * CHANNELS));
                found |= (is_candidate ? 1u : 0u) << (t * SRC_PIXELS + pixel);
            }
        }
        bits[word] = found;
        atomicMin(s_least, least);
    }
    wg_sync();
    if (gl_LocalInvocationIndex == 0u) {
        atomicMin(least_key, s_least);
    }
}
