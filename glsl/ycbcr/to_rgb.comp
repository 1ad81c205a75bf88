#version 430 core
// Planes of luma and colour differences as RGB, the colours between their samples interpolated (linearly).
//
// @define DEPTH 8|16            of every plane and of the result
//
// Reads   i_y i_cb i_cr   one channel each; the latter two may be smaller
// Writes  i_dst           RGB with a fourth value that is ignored
// Shared memory   none; invocations are independent, groups come in any order.
// Source: ITU-R BT.601, BT.709 and BT.2020 for the matrices.
#define DST_DEPTH DEPTH
#include "lib/put_lane.glsl"
#include "lib/code.glsl"
#include "lib/reproducible.glsl"

layout(local_size_x = 32, local_size_y = 8) in;

layout(rgba32ui) readonly uniform uimage2D i_y;
layout(rgba32ui) readonly uniform uimage2D i_cb;
layout(rgba32ui) readonly uniform uimage2D i_cr;
layout(rgba32ui) writeonly uniform uimage2D i_dst;

uniform ivec2 u_chroma_size;
uniform float u_ratio[2];  // samples of colour for one of luma, 1 or 0.5
uniform float u_offset[2]; // where the first sample of luma lies among those of colour
uniform float u_to_rgb[12]; // three rows: factors of y, cb, cr, and what is added

#define PLANE_LANES (128 / DEPTH)
#define PIXELS (PLANE_LANES / 4)

uint lane_of(uvec4 texel, int lane) {
#if DEPTH == 8
    return bitfieldExtract(texel[lane >> 2], (lane & 3) * 8, 8);
#else
    return bitfieldExtract(texel[lane >> 1], (lane & 1) * 16, 16);
#endif
}

// cb and cr of one sample.
vec2 chroma(ivec2 at) {
    at = clamp(at, ivec2(0), u_chroma_size - 1);
    ivec2 texel = ivec2(at.x / PLANE_LANES, at.y);
    int lane = at.x % PLANE_LANES;
    return vec2(lane_of(imageLoad(i_cb, texel), lane), lane_of(imageLoad(i_cr, texel), lane));
}

// Whole codes times fractions of eighths: exact.
vec2 chroma_between(ivec2 pixel) {
    vec2 at = vec2(pixel) * vec2(u_ratio[0], u_ratio[1]) + vec2(u_offset[0], u_offset[1]);
    ivec2 first = ivec2(floor(at));
    vec2 part = at - vec2(first);
    if (part == vec2(0.0)) {
        return chroma(first);
    }
    vec2 above = mix(chroma(first), chroma(first + ivec2(1, 0)), part.x);
    vec2 below = mix(chroma(first + ivec2(0, 1)), chroma(first + ivec2(1, 1)), part.x);
    return mix(above, below, part.y);
}

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    uvec4 luma = imageLoad(i_y, ivec2(at.x * PIXELS / PLANE_LANES, at.y));
    uvec4 texel = uvec4(0u);
    for (int p = 0; p < PIXELS; ++p) {
        int x = at.x * PIXELS + p;
        float y = float(lane_of(luma, x % PLANE_LANES));
        vec2 colour = chroma_between(ivec2(x, at.y));
        for (int c = 0; c < 3; ++c) {
            float value = add_product(u_to_rgb[c * 4 + 3], u_to_rgb[c * 4], y);
            value = add_product(value, u_to_rgb[c * 4 + 1], colour.x);
            put_lane(texel, p * 4 + c, code_of(add_product(value, u_to_rgb[c * 4 + 2], colour.y)));
        }
        put_lane(texel, p * 4 + 3, (1u << DEPTH) - 1u);
    }
    imageStore(i_dst, at, texel);
}
