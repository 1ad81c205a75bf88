#version 430 core
// The background of an image, or the image without it; alpha is kept.
//
// Reads   i_src     the image
//         i_around  the background in the form of i_src; with NUMBERS as background/erode.comp stores it, u_scale times too large
// Writes  i_dst     the result, of the same form
// Group grid        covers the texels of i_src
// Shared memory     none; invocations are independent, groups come in any order
//
// @define CHANNELS  1|2|4     as stored
// @define SRC_DEPTH 8|16|32   bits of a channel
// @define KEPT      0|1       whether the last channel stays
// @define NUMBERS   0|1
// @skip CHANNELS=1 KEPT=1
#define DST_DEPTH SRC_DEPTH
#include "lib/texel.glsl"
#include "lib/put_lane.glsl"
#include "lib/reproducible.glsl"
#include "lib/code.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

layout(rgba32ui) readonly uniform uimage2D i_around;
layout(rgba32ui) writeonly uniform uimage2D i_dst;

uniform int u_output; // 0 the image without the background, 1 the same where the background is white, 2 the background
uniform int u_scale;
uniform float u_per_scale;

#if SRC_DEPTH == 32
#define CODE float
#else
#define CODE int
#endif

// Of numbers divided by u_scale, the nearest code; ties go to the even one.
CODE code_of_number(uint bits) {
#if SRC_DEPTH == 32
    return product_of(float_of_bits(bits), u_per_scale);
#else
    int code = int(bits) / u_scale;
    int twice = 2 * (int(bits) - code * u_scale);
    return code + int(twice > u_scale || (twice == u_scale && (code & 1) == 1));
#endif
}

CODE as_code(uint bits) {
#if SRC_DEPTH == 32
    return float_of_bits(bits);
#else
    return int(bits);
#endif
}

uint result_of(CODE own, CODE around) {
#if SRC_DEPTH == 32
    precise float less = own - around;
    precise float from_white = 1.0 + less;
    return code_of(u_output == 0 ? less : u_output == 1 ? from_white : around);
#else
    int less = own - around;
    return uint(u_output == 0 ? max(less, 0) : u_output == 1 ? LARGEST_CODE + min(less, 0) : around);
#endif
}

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    uvec4 own = texel_at(at);
    uvec4 around = uvec4(0u);
    uvec4 result = uvec4(0u);
    for (int lane = 0; lane < SRC_LANES; ++lane) {
#if NUMBERS == 1
        if (lane % 4 == 0) {
            around = imageLoad(i_around, ivec2(at.x * (SRC_LANES / 4) + lane / 4, at.y));
        }
        CODE there = code_of_number(around[lane % 4]);
#else
        if (lane == 0) {
            around = imageLoad(i_around, at);
        }
        CODE there = as_code(lane_bits(around, lane));
#endif
        uint bits = lane_bits(own, lane);
        bool is_kept = KEPT == 1 && lane % CHANNELS == CHANNELS - 1;
        put_lane(result, lane, is_kept ? bits : result_of(as_code(bits), there));
    }
    imageStore(i_dst, at, result);
}
