#version 430 core
// Guided filter, last step: each pixel of the guide on the mean of the lines of all windows that it is in. Alpha is kept.
//
// Reads   i_src      the image
//         i_guide    GUIDE 1: the guide, floats in the code units of the image
//         i_slopes   means of the slopes of guided/lines.comp
//         i_heights  means of its heights
// Writes  i_dst      the result, of the same form as the image
// Group grid         covers the texels of i_src
// Shared bytes       none; invocations are independent, groups come in any order
// Source             see guided/products.comp
//
// @define CHANNELS  1|2|4     as stored
// @define SRC_DEPTH 8|16|32   bits of a channel
// @define GUIDE     0|1
#define DST_DEPTH SRC_DEPTH
#include "lib/texel.glsl"
#include "lib/put_lane.glsl"
#include "lib/reproducible.glsl"
#include "lib/code.glsl"
#include "guided/lines.glsl"

layout(local_size_x = 16, local_size_y = 8) in;

#if GUIDE == 1
layout(rgba32ui) readonly uniform uimage2D i_guide;
#endif
layout(rgba32ui) readonly uniform uimage2D i_slopes;
layout(rgba32ui) readonly uniform uimage2D i_heights;
layout(rgba32ui) writeonly uniform uimage2D i_dst;

uniform float u_middle; // of the range

#define COLOURS (CHANNELS == 4 ? 3 : 1)
#define LINES (CHANNELS == 4 ? 1 : 4) // pixels of a texel of i_slopes

float value_of(uint bits) {
#if SRC_DEPTH == 32
    return float_of_bits(bits);
#else
    return float(bits);
#endif
}

void main() {
    ivec2 unit = ivec2(gl_GlobalInvocationID.xy);
    uvec4 texel = texel_at(unit);
    uvec4 result = uvec4(0u);
    for (int p = 0; p < SRC_PIXELS; ++p) {
        int x = unit.x * SRC_PIXELS + p;
        ivec2 from = ivec2(x / LINES, unit.y);
        vec4 slopes = uintBitsToFloat(imageLoad(i_slopes, from));
        vec4 heights = uintBitsToFloat(imageLoad(i_heights, from));
        for (int c = 0; c < CHANNELS; ++c) {
            uint bits = lane_bits(texel, p * CHANNELS + c);
            if (c < COLOURS) {
#if GUIDE == 1
                float guide = float_of_bits(imageLoad(i_guide, ivec2(x / 4, unit.y))[x % 4]);
#else
                float guide = value_of(bits);
#endif
                int line = LINES == 1 ? c : x % LINES;
                float value = on_line(guide, slopes[line], heights[line], u_middle);
                bits = code_of(SRC_DEPTH < 32 && is_nan(value) ? 0.0 : value); // all around is hidden; clamp() of NaN is the driver's
            }
            put_lane(result, p * CHANNELS + c, bits);
        }
    }
    imageStore(i_dst, unit, result);
}
