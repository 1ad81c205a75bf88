#version 430 core
// A picture with the outlines of objects drawn on it: pixels with a label, beside a pixel that is not set in the mask. The
// edge of the picture is no outline.
//
// Reads   i_src     the picture
//         b_labels  components/labels.comp, u_size.x words a row, beginning with pixel u_first_pixel
//         b_bits    the mask: u_bit_rows rows; row u_first_bit is the first of the picture
//         b_ink     NUMBERED: the pixels of numbers, as a mask; row 0 is the first of the picture
// Writes  i_dst     as many pixels with 4 stored channels; u_size.y rows, beginning with row u_first_row
// Group grid        an invocation a texel of i_dst; any order
// Shared bytes      none
// Source            none
//
// @define CHANNELS  1|2|4     of the picture, as stored
// @define SRC_DEPTH 8|16|32   bits of a channel
// @define NUMBERED  0|1       whether numbers are drawn
#include "lib/texel.glsl"

layout(local_size_x = 16, local_size_y = 16) in;
#define DST_DEPTH SRC_DEPTH
#include "lib/put_lane.glsl"

layout(std430) readonly buffer b_labels { uint labels[]; };
layout(std430) readonly buffer b_bits { uint bits[]; };
#if NUMBERED == 1
layout(std430) readonly buffer b_ink { uint ink[]; };
#endif
layout(rgba32ui) writeonly uniform uimage2D i_dst;

uniform uint u_first_pixel;
uniform int u_first_row;
uniform int u_row_words;
uniform int u_first_bit;
uniform int u_bit_rows;
uniform uvec4 u_colour; // codes: red, green, blue, opaque

#define DST_PIXELS (SRC_LANES / 4)

// Pixels beyond the picture count as set.
bool is_set(int x, int y) {
    int row = u_first_bit + y;
    bool is_inside = x >= 0 && x < u_size.x && row >= 0 && row < u_bit_rows;
    return !is_inside || (bits[row * u_row_words + (x >> 5)] >> (x & 31) & 1u) != 0u;
}

bool is_outline(int x, int y) {
    bool is_labelled = labels[uint(y) * uint(u_size.x) + uint(x) - u_first_pixel] != 0u;
    return is_labelled && !(is_set(x - 1, y) && is_set(x + 1, y) && is_set(x, y - 1) && is_set(x, y + 1));
}

bool is_ink(int x, int y) {
#if NUMBERED == 1
    return (ink[y * u_row_words + (x >> 5)] >> (x & 31) & 1u) != 0u;
#else
    return false;
#endif
}

uvec4 pixel_at(int x, int y) {
    uvec4 texel = texel_at(ivec2(x / SRC_PIXELS, y));
    int lane = x % SRC_PIXELS * CHANNELS;
    uint first = lane_bits(texel, lane);
#if CHANNELS == 1
    return uvec4(first, first, first, u_colour.w);
#elif CHANNELS == 2
    return uvec4(first, first, first, lane_bits(texel, lane + 1));
#else
    return uvec4(first, lane_bits(texel, lane + 1), lane_bits(texel, lane + 2), lane_bits(texel, lane + 3));
#endif
}

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    int y = u_first_row + at.y;
    if (at.x * DST_PIXELS < u_size.x && at.y < u_size.y) {
        uvec4 texel = uvec4(0u);
        for (int i = 0; i < DST_PIXELS && at.x * DST_PIXELS + i < u_size.x; ++i) {
            int x = at.x * DST_PIXELS + i;
            uvec4 pixel = is_outline(x, y) || is_ink(x, y) ? u_colour : pixel_at(x, y);
            for (int c = 0; c < 4; ++c) {
                put_lane(texel, i * 4 + c, pixel[c]);
            }
        }
        imageStore(i_dst, ivec2(at.x, y), texel);
    }
}
