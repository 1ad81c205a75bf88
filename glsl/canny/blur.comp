#version 430 core
// Canny's edges, first step: a Gaussian along one axis, in code units and without rounding to codes. The edge pixels of the image are
// repeated beyond it.
//
// Reads   i_src   the image, or the result of a pass along the other axis
//         b_taps  the weights at distances 0 to u_reach
// Writes  i_dst   floats: the colours of a pixel a texel, or four grey pixels
// Group grid      covers the texels of i_dst
// Shared bytes    none; invocations are independent, groups come in any order
// Source          J. Canny, A Computational Approach to Edge Detection, IEEE PAMI 8, 1986
//
// @define CHANNELS  1|2|4     as stored
// @define SRC_DEPTH 8|16|32   bits of a channel
// @define FETCHED   0|1       lib/texel.glsl
#include "lib/texel.glsl"
#include "lib/float_bits.glsl"
#include "lib/reproducible.glsl"

layout(local_size_x = 16, local_size_y = 8) in;

layout(std430) readonly buffer b_taps { float taps[]; };
layout(rgba32ui) writeonly uniform uimage2D i_dst;

uniform ivec2 u_step; // to the next pixel along the axis
uniform int u_reach;

#define COLOURS (CHANNELS == 4 ? 3 : 1)
#define PIXELS (CHANNELS == 4 ? 1 : 4) // of a texel of i_dst

float value_of(uint bits) {
#if SRC_DEPTH == 32
    return float_of_bits(bits);
#else
    return float(bits);
#endif
}

vec3 colours_at(ivec2 at) {
    at = clamp(at, ivec2(0), u_size - 1);
    uvec4 texel = texel_at(ivec2(at.x / SRC_PIXELS, at.y));
    vec3 colours = vec3(0.0);
    for (int c = 0; c < COLOURS; ++c) {
        colours[c] = value_of(lane_bits(texel, at.x % SRC_PIXELS * CHANNELS + c));
    }
    return colours;
}

// From the first tap to the last: their order decides the bits.
vec3 blurred(ivec2 at) {
    vec3 sum = vec3(0.0);
    for (int k = -u_reach; k <= u_reach; ++k) {
        vec3 colours = colours_at(at + k * u_step);
        for (int c = 0; c < COLOURS; ++c) {
            sum[c] = add_product(sum[c], taps[abs(k)], colours[c]);
        }
    }
    return sum;
}

void main() {
    ivec2 unit = ivec2(gl_GlobalInvocationID.xy);
    uvec4 texel = uvec4(0u);
    for (int p = 0; p < PIXELS; ++p) {
        vec3 sum = blurred(ivec2(unit.x * PIXELS + p, unit.y));
        for (int c = 0; c < COLOURS; ++c) {
            texel[p * COLOURS + c] = floatBitsToUint(sum[c]);
        }
    }
    imageStore(i_dst, unit, texel);
}
