#version 430 core
// Whether a pixel has alpha 0.
//
// Reads    i_src    the image, whose last channel is alpha
// Updates  b_found  1 where there is one
// Group grid        covers the texels
// Shared bytes      none; invocations are independent, groups come in any order
//
// @define CHANNELS  2|4       as stored
// @define SRC_DEPTH 8|16|32   bits of a channel
#include "lib/texel.glsl"
#include "lib/hidden.glsl"

layout(local_size_x = 32, local_size_y = 8) in;

layout(std430) buffer b_found { uint found[]; };

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    uvec4 texel = imageLoad(i_src, at);
    for (int p = 0; p < SRC_PIXELS; ++p) {
        uint alpha = lane_bits(texel, p * CHANNELS + CHANNELS - 1);
        if (at.x * SRC_PIXELS + p < u_size.x && at.y < u_size.y && hides(alpha)) {
            found[0] = 1u; // all invocations write the same
        }
    }
}
