#version 430 core
// Copies rows of pixels from a buffer to the texels of an image. RGB becomes RGBA with an opaque fourth value.
//
// A row of the buffer begins at a multiple of u_pitch. The buffer may be memory of the CPU, read over the bus: each
// word is loaded once, and neighbouring invocations load neighbouring words.
//
// Reads   b_rows   rows of pixels; 3 uvec4 hold a unit of RGB, one a texel of any other image
// Writes  i_dst    the image, beginning with row u_first
// Group grid       x covers the units (RGB) or texels of a row, y is the row; groups come in any order
// Shared bytes     3072 for RGB, else none
// Source           none: it moves bytes.
//
// @define RGB 0|8|16|32   0: rows lie as in texels; else bits of a value of RGB
#pragma optionNV(unroll all)
#include "lib/sync.glsl"
#if RGB != 0
#include "lib/rgb.glsl"
#endif

#define GROUP 64
layout(local_size_x = GROUP) in;

layout(std430) readonly buffer b_rows { uvec4 rows[]; };
layout(rgba32ui) writeonly uniform uimage2D i_dst;

uniform int u_pitch; // of a row of the buffer, in uvec4
uniform int u_first;

#if RGB == 0
void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (at.x < u_pitch) {
        imageStore(i_dst, ivec2(at.x, u_first + at.y), rows[at.y * u_pitch + at.x]);
    }
}
#else
shared uvec4 s_words[3 * GROUP];

void main() {
    int me = int(gl_LocalInvocationID.x);
    int unit = int(gl_GlobalInvocationID.x);
    int y = int(gl_WorkGroupID.y);
    int begin = 3 * GROUP * int(gl_WorkGroupID.x);
    for (int k = me; k < 3 * GROUP; k += GROUP) {
        s_words[k] = begin + k < u_pitch ? rows[y * u_pitch + begin + k] : uvec4(0u);
    }
    wg_sync();
    uint words[12];
    for (int k = 0; k < 12; ++k) {
        words[k] = s_words[3 * me + k / 4][k & 3];
    }
    uvec4 texels[UNIT_TEXELS];
    expand(words, texels);
    for (int k = 0; k < UNIT_TEXELS; ++k) { // those beyond the image are dropped by the image unit
        imageStore(i_dst, ivec2(unit * UNIT_TEXELS + k, u_first + y), texels[k]);
    }
}
#endif
