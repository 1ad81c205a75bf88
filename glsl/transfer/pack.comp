#version 430 core
// Copies the texels of an image to rows of pixels in a buffer; the reverse of transfer/unpack.comp, laid out alike.
//
// Reads   i_src    the image, beginning with row u_first
// Writes  b_rows   rows of pixels; the bytes between the last pixel of a row and the next row have no meaning
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

layout(rgba32ui) readonly uniform uimage2D i_src;
layout(std430) writeonly buffer b_rows { uvec4 rows[]; };

uniform int u_pitch; // of a row of the buffer, in uvec4
uniform int u_first;

#if RGB == 0
void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (at.x < u_pitch) {
        rows[at.y * u_pitch + at.x] = imageLoad(i_src, ivec2(at.x, u_first + at.y));
    }
}
#else
shared uvec4 s_words[3 * GROUP];

void main() {
    int me = int(gl_LocalInvocationID.x);
    int unit = int(gl_GlobalInvocationID.x);
    int y = int(gl_WorkGroupID.y);
    uvec4 texels[UNIT_TEXELS];
    for (int k = 0; k < UNIT_TEXELS; ++k) { // those beyond the image are 0
        texels[k] = imageLoad(i_src, ivec2(unit * UNIT_TEXELS + k, u_first + y));
    }
    uint words[12];
    shrink(texels, words);
    for (int k = 0; k < 3; ++k) {
        s_words[3 * me + k] = uvec4(words[4 * k], words[4 * k + 1], words[4 * k + 2], words[4 * k + 3]);
    }
    wg_sync();
    int begin = 3 * GROUP * int(gl_WorkGroupID.x);
    for (int k = me; k < 3 * GROUP; k += GROUP) {
        if (begin + k < u_pitch) {
            rows[y * u_pitch + begin + k] = s_words[k];
        }
    }
}
#endif
