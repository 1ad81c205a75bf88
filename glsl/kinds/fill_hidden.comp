#version 430 core
// An image whose hidden pixels have the colours of another one.
//
// Reads   i_src    the image
//         i_made   the image that has the colours, of the same format
// Writes  i_dst    both
// Group grid       covers the texels
// Shared bytes     none; invocations are independent, groups come in any order
//
// @define CHANNELS  2|4       as stored
// @define SRC_DEPTH 8|16|32   bits of a channel
#define DST_DEPTH SRC_DEPTH
#include "lib/texel.glsl"
#include "lib/put_lane.glsl"
#include "lib/hidden.glsl"

layout(local_size_x = 32, local_size_y = 8) in;

layout(rgba32ui) readonly uniform uimage2D i_made;
layout(rgba32ui) writeonly uniform uimage2D i_dst;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    uvec4 own = imageLoad(i_src, at);
    uvec4 made = imageLoad(i_made, at);
    uvec4 result = uvec4(0u);
    for (int lane = 0; lane < SRC_LANES; ++lane) {
        int alpha = lane / CHANNELS * CHANNELS + CHANNELS - 1;
        bool is_filled = lane != alpha && hides(lane_bits(own, alpha));
        put_lane(result, lane, is_filled ? lane_bits(made, lane) : lane_bits(own, lane));
    }
    imageStore(i_dst, at, result);
}
