#version 430 core
// Labels as a grey picture: the labels themselves, or white where there is one.
//
// Reads   b_labels  components/labels.comp, u_size.x words a row, beginning with pixel u_first_pixel
// Writes  i_dst     u_size.y rows of the picture, beginning with row u_first_row
// Group grid        an invocation a texel; any order
// Shared bytes      none
// Source            none: a look-up
//
// @define DST_DEPTH 8|16|32  bits of a pixel
// @define NUMBERS   0|1      whether pixels hold labels, which must fit, else white
layout(local_size_x = 16, local_size_y = 16) in;
#include "lib/put_lane.glsl"

layout(std430) readonly buffer b_labels { uint labels[]; };
layout(rgba32ui) writeonly uniform uimage2D i_dst;

uniform ivec2 u_size; // pixels
uniform uint u_first_pixel;
uniform int u_first_row;
uniform uint u_white;
uniform uint u_flip; // 1: white where there is no label

#define PIXELS (128 / DST_DEPTH)

uint code_of(uint label) {
#if NUMBERS == 1
    return label;
#else
    return (label != 0u) != (u_flip != 0u) ? u_white : 0u;
#endif
}

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (at.x * PIXELS < u_size.x && at.y < u_size.y) {
        uvec4 texel = uvec4(0u);
        for (int i = 0; i < PIXELS && at.x * PIXELS + i < u_size.x; ++i) {
            uint pixel = uint(u_first_row + at.y) * uint(u_size.x) + uint(at.x * PIXELS + i);
            put_lane(texel, i, code_of(labels[pixel - u_first_pixel]));
        }
        imageStore(i_dst, ivec2(at.x, u_first_row + at.y), texel);
    }
}
