#version 430 core
// One picture minus another: gradients and hats. Codes stop at 0; floats may be negative.
//
// Reads    i_src    the picture that is subtracted; with SWAP the picture it is subtracted from
// Updates  i_dst    the other, then the difference
// Group grid        covers the texels
// Shared memory     none; invocations are independent, groups come in any order.
//
// @define CHANNELS  1|2|4     as stored
// @define SRC_DEPTH 8|16|32   bits of a channel
// @define KEEP      0|1       1: the last channel stays as it is in i_dst
// @define SWAP      0|1
// @skip CHANNELS=1 KEEP=1
#define DST_DEPTH SRC_DEPTH
#include "lib/texel.glsl"
#include "lib/put_lane.glsl"
#include "lib/code.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

layout(rgba32ui) uniform uimage2D i_dst;

uint difference(uint a, uint b) {
#if SRC_DEPTH == 32
    return code_of(float_of_bits(a) - float_of_bits(b));
#else
    return a - min(a, b);
#endif
}

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    uvec4 here = imageLoad(i_dst, at);
    uvec4 other = imageLoad(i_src, at);
#if SWAP == 1
    uvec4 from = other;
    uvec4 less = here;
#else
    uvec4 from = here;
    uvec4 less = other;
#endif
    uvec4 result = uvec4(0u);
    for (int lane = 0; lane < SRC_LANES; ++lane) {
        bool is_kept = KEEP == 1 && lane % CHANNELS == CHANNELS - 1;
        uint bits = is_kept ? lane_bits(here, lane) : difference(lane_bits(from, lane), lane_bits(less, lane));
        put_lane(result, lane, bits);
    }
    imageStore(i_dst, at, result);
}
