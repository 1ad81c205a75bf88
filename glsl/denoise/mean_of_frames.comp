#version 430 core
// Ends non-local means over frames: from the sums that denoise/frames.comp has left, the pixels of the result.
//
// Reads   i_src   the frame that is denoised
//         i_sums  a texel a pixel, as denoise/frames.comp has them
// Writes  i_dst   the result; alpha is kept
// Group grid      covers the texels of an image
// Shared memory   none; invocations are independent, groups come in any order
//
// @define CHANNELS  1|2|4     as stored
// @define SRC_DEPTH 8|16|32   bits of a channel
// @define FETCHED   0|1       lib/texel.glsl
#define DST_DEPTH SRC_DEPTH
#include "lib/texel.glsl"
#include "lib/elementary.glsl"
#include "lib/code.glsl"
#include "denoise/patches.glsl"

layout(local_size_x = 16, local_size_y = 8) in;

layout(rgba32ui) readonly uniform uimage2D i_sums;
layout(rgba32ui) writeonly uniform uimage2D i_dst;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (at.x * SRC_PIXELS >= u_size.x || at.y >= u_size.y) {
        return;
    }
    uvec4 source = texel_at(at);
    uvec4 texel = uvec4(0u);
    for (int p = 0; p < SRC_PIXELS; ++p) {
        vec4 sums = uintBitsToFloat(imageLoad(i_sums, ivec2(at.x * SRC_PIXELS + p, at.y))); // 0 beyond the image
        for (int c = 0; c < CHANNELS; ++c) {
            int lane = p * CHANNELS + c;
            uint bits = lane_bits(source, lane);
            uint code = c < COLOURS ? result_of(bits, sums[c], sums.w) : bits;
            texel[lane * SRC_DEPTH / 32] |= code << (lane * SRC_DEPTH % 32);
        }
    }
    imageStore(i_dst, at, texel);
}
