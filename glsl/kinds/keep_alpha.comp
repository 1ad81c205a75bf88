#version 430 core
// The colours of one image, with the alpha of another.
//
// Reads   i_src    the image that has the alpha
//         i_made   the image that has the colours, of the same format
// Writes  i_dst    both
// Group grid       covers the texels
// Shared bytes     none; invocations are independent, groups come in any order
//
// @define CHANNELS  2|4       as stored
// @define SRC_DEPTH 8|16|32   bits of a channel
#define DST_DEPTH SRC_DEPTH
#define KEEP 1
#include "lib/texel.glsl"
#include "lib/put_lane.glsl"
#include "lib/kept.glsl"

layout(local_size_x = 32, local_size_y = 8) in;

layout(rgba32ui) readonly uniform uimage2D i_made;
layout(rgba32ui) writeonly uniform uimage2D i_dst;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    imageStore(i_dst, at, with_kept(imageLoad(i_made, at), at));
}
