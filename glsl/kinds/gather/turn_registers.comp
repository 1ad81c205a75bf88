#version 430 core
// A picture with rows and columns exchanged, bit for bit, like turn.comp. It is for renderers with slow shared memory:
// an invocation turns a square of as many pixels as a texel has.
//
// Reads   i_src    a part of the source
// Writes  i_dst    a part of the result
// Shared memory    none; invocations are independent, groups come in any order.
//
// @define BORDER    0|1|2|3|4   lib/border.glsl
// @define SRC_DEPTH 8|16|32     bits of a pixel up to 32, else 32
// @define CHANNELS  1|2|4       how often that makes a pixel
// @skip SRC_DEPTH=8 CHANNELS=2
// @skip SRC_DEPTH=8 CHANNELS=4
// @skip SRC_DEPTH=16 CHANNELS=2
// @skip SRC_DEPTH=16 CHANNELS=4
#include "lib/run.glsl"

layout(local_size_x = 4, local_size_y = 16) in;

layout(rgba32ui) writeonly uniform uimage2D i_dst;

uniform ivec2 u_first; // the pixel of the source that is the first of i_dst
uniform ivec2 u_step;  // 1 or -1: which way the source is read along its rows and columns

// The square whose first pixel in the source is `corner`, where all of it lies within.
void turn_inside(ivec2 at, ivec2 corner) {
    ivec2 first = corner - u_part;
    int skipped = first.x & (SRC_PIXELS - 1);
    int texel = (first.x - skipped) / SRC_PIXELS;
    uvec4 columns[SRC_PIXELS]; // of the result
    for (int x = 0; x < SRC_PIXELS; ++x) {
        columns[x] = texel_at(ivec2(texel, first.y + (u_step.y > 0 ? x : SRC_PIXELS - 1 - x)));
    }
    // A loop, not an if: see run_from().
    for (int turns = skipped == 0 ? 0 : 1; turns > 0; --turns) {
        for (int x = 0; x < SRC_PIXELS; ++x) {
            uvec4 right = texel_at(ivec2(texel + 1, first.y + (u_step.y > 0 ? x : SRC_PIXELS - 1 - x)));
            columns[x] = across(columns[x], right, skipped);
        }
    }
    for (int p = 0; p < SRC_PIXELS; ++p) {
        uvec4 turned = uvec4(0u);
        for (int x = 0; x < SRC_PIXELS; ++x) {
            for (int c = 0; c < CHANNELS; ++c) {
                put_lane(turned, x * CHANNELS + c, lane_bits(columns[x], p * CHANNELS + c));
            }
        }
        imageStore(i_dst, ivec2(at.x, at.y * SRC_PIXELS + (u_step.x > 0 ? p : SRC_PIXELS - 1 - p)), turned);
    }
}

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    ivec2 begin = u_first + u_step * at.yx * SRC_PIXELS;
    ivec2 corner = min(begin, begin + u_step * (SRC_PIXELS - 1));
    bool inside = are_inside(corner, SRC_PIXELS);
    if (inside) {
        turn_inside(at, corner);
    }
    for (int y = inside ? SRC_PIXELS : 0; y < SRC_PIXELS; ++y) {
        uvec4 turned = uvec4(0u);
        for (int x = 0; x < SRC_PIXELS; ++x) {
            put_bordered(turned, x, begin + u_step * ivec2(y, x));
        }
        imageStore(i_dst, ivec2(at.x, at.y * SRC_PIXELS + y), turned);
    }
}
