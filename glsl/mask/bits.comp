#version 430 core
// A mask as bits: 32 pixels of a row a word, the first in bit 0. Rows begin on a word; bits beyond the picture are 0.
//
// Reads   i_src     the picture: a pixel is set if a colour channel is not 0, which includes NaN, and
//                   the pixel can be seen
// Writes  b_bits    u_row_words words for each row, beginning with row u_first_row
// Group grid        lib/group.glsl, an invocation a word; any order
// Shared bytes      none
// Source            the product that gathers one bit of each byte: H. S. Warren, Hacker's Delight, 7-3
//
// @define CHANNELS  1|2|4     as stored
// @define SRC_DEPTH 8|16|32   bits of a channel
// @define HIDES     0|1       whether the last channel is alpha, where 0 hides a pixel
// @skip CHANNELS=1 HIDES=1
#include "lib/texel.glsl"
#include "lib/hidden.glsl"

layout(local_size_x = 256) in;
#include "lib/group.glsl"

layout(std430) writeonly buffer b_bits { uint bits[]; };

uniform uint u_row_words;
uniform uint u_first_row;
uniform uint u_flip; // 0xffffffff: pixels that are 0 are set, and no others

#define TEXELS (32 / SRC_PIXELS) // of a word

// For floats the sign does not count, so that -0 is 0.
bool is_set(uvec4 texel, int pixel) {
    uint any = 0u;
    for (int c = 0; c < (CHANNELS == 4 ? 3 : 1); ++c) {
        any |= lane_bits(texel, pixel * CHANNELS + c) << (SRC_DEPTH == 32 ? 1 : 0);
    }
    return any != 0u && !(HIDES == 1 && hides(lane_bits(texel, pixel * CHANNELS + CHANNELS - 1)));
}

// One bit for each of a texel's pixels.
uint set_pixels(uvec4 texel) {
    uint found = 0u;
#if SRC_DEPTH == 8 && CHANNELS == 1
    uvec4 ones = ((((texel & 0x7f7f7f7fu) + 0x7f7f7f7fu) | texel) >> 7) & 0x01010101u;
    uvec4 fours = (ones * 0x10204080u) >> 28;
    found = fours.x | fours.y << 4 | fours.z << 8 | fours.w << 12;
#else
    for (int pixel = 0; pixel < SRC_PIXELS; ++pixel) {
        found |= (is_set(texel, pixel) ? 1u : 0u) << pixel;
    }
#endif
    return found;
}

void main() {
    uint word = linear_invocation();
    uint y = word / u_row_words;
    uint column = word - y * u_row_words;
    if (y < uint(u_size.y)) {
        uint result = 0u;
        for (int t = 0; t < TEXELS; ++t) {
            uvec4 texel = texel_at(ivec2(int(column) * TEXELS + t, y));
            result |= set_pixels(texel) << t * SRC_PIXELS;
        }
        uint beyond = max(int(column * 32u) + 32 - u_size.x, 0); // pixels, fewer than 32
        bits[(u_first_row + y) * u_row_words + column] = (result ^ u_flip) & 0xffffffffu >> beyond;
    }
}
