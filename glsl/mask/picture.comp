#version 430 core
// A mask's bits (mask/bits.comp) as a picture of one channel of 8 bits: white where a bit is set, else black.
//
// Reads   b_bits   u_row_words words a row
// Writes  i_dst    16 pixels a texel
// Group grid       x texels, y rows; any order
// Shared bytes     none
layout(local_size_x = 64) in;

layout(std430) readonly buffer b_bits { uint bits[]; };
layout(rgba32ui) writeonly uniform uimage2D i_dst;

uniform uint u_width;
uniform uint u_row_words;

void main() {
    uint texel = gl_GlobalInvocationID.x;
    uint y = gl_WorkGroupID.y;
    if (texel * 16u < u_width) {
        uint half_word = bits[y * u_row_words + texel / 2u] >> (texel & 1u) * 16u;
        uvec4 fours = uvec4(half_word, half_word >> 4, half_word >> 8, half_word >> 12) & 0xfu;
        imageStore(i_dst, ivec2(texel, y), (fours * 0x00204081u & 0x01010101u) * 255u);
    }
}
