#version 430 core
// Filters float images around values that are not finite, the holes. The image with 0 in its holes is filtered, and
// divided by the same filter of a mask that is 0 in the holes and 1 elsewhere. That makes a filter whose weights add up
// to 1 over the finite values.
//
// STEP 0: are there any?
// Reads    i_src     the image
// Updates  b_found   1 where there are
// STEP 1: take them out.
// Reads    i_src     the image
// Writes   i_dst     the image with 0 in its holes
//          i_share   0 in the holes, 1 elsewhere; with ALPHA 1 alpha as in i_dst
// STEP 2: after the filter.
// Reads    i_src     the filtered i_dst of STEP 1
//          i_share   its filtered i_share
//          i_kept    with ALPHA 2 the image before STEP 1
// Writes   i_dst     the quotient; NaN where the filter saw nothing but holes
// Shared memory      none; invocations are independent, groups come in any order.
// Source             H. Knutsson and C.-F. Westin, Normalized and Differential Convolution, CVPR 1993.
//
// @define STEP     0|1|2
// @define CHANNELS 1|2|4   as stored
// @define ALPHA    0|1|2   lib/pixel.glsl
// @skip CHANNELS=1 ALPHA=1
// @skip CHANNELS=1 ALPHA=2
#define SRC_DEPTH 32
#include "lib/texel.glsl"
#include "lib/reproducible.glsl"
#define DST_DEPTH 32
#include "lib/code.glsl"
#include "kinds/separable/around_holes.glsl"

layout(local_size_x = 32, local_size_y = 4) in;

#if STEP == 0
layout(std430) buffer b_found { uint found[]; };
#else
layout(rgba32ui) writeonly uniform uimage2D i_dst;
#endif
#if STEP == 1
layout(rgba32ui) writeonly uniform uimage2D i_share;
#elif STEP == 2
layout(rgba32ui) readonly uniform uimage2D i_share;
layout(rgba32ui) readonly uniform uimage2D i_kept;
#endif

const uint exponent = 0x7f800000u;
const uint one = 0x3f800000u;

// By its bits: compilers may assume that no float is a NaN.
bool is_finite(uint bits) {
    return (bits & exponent) != exponent;
}

bool is_alpha(int lane) {
    return ALPHA != 0 && lane % CHANNELS == CHANNELS - 1;
}

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    uvec4 texel = imageLoad(i_src, at);
#if STEP == 0
    for (int lane = 0; lane < SRC_LANES; ++lane) {
        int x = at.x * SRC_PIXELS + lane / CHANNELS;
        if (x < u_size.x && at.y < u_size.y && !is_finite(texel[lane])) {
            found[0] = 1u; // all invocations write the same
        }
    }
#elif STEP == 1
    uvec4 share;
    for (int lane = 0; lane < SRC_LANES; ++lane) {
        bool keeps = is_finite(texel[lane]);
        texel[lane] = keeps ? texel[lane] : 0u;
        share[lane] = ALPHA == 1 && is_alpha(lane) ? texel[lane] : keeps ? one : 0u;
    }
    imageStore(i_dst, at, texel);
    imageStore(i_share, at, share);
#else
    vec4 sums = uintBitsToFloat(texel);
#if ALPHA == 2
    uvec4 kept = imageLoad(i_kept, at);
    for (int lane = CHANNELS - 1; lane < SRC_LANES; lane += CHANNELS) {
        sums[lane] = uintBitsToFloat(kept[lane]);
    }
#endif
    vec4 result = ended(sums, uintBitsToFloat(imageLoad(i_share, at)));
    uvec4 codes;
    for (int lane = 0; lane < SRC_LANES; ++lane) {
        codes[lane] = code_of(result[lane]);
    }
    imageStore(i_dst, at, codes);
#endif
}
