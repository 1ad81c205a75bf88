#version 430 core
// Guided filter, first step: the values of an image and the products whose means its lines need, in code units, with the middle of the
// range as 0. Pixels of alpha 0 have no values: NaN.
//
// Reads   i_src       the image
//         i_guide     GUIDE 1: the guide, floats in the code units of the image
// Writes  i_values    for each pixel its colours, and GUIDE 1 the guide
//         i_products  the same values times the guide; GUIDE 0: each colour times itself
// Group grid          covers the texels of i_values
// Shared bytes        none; invocations are independent, groups come in any order
// Source              K. He, J. Sun, X. Tang, Guided Image Filtering, ECCV 2010
//
// @define CHANNELS  1|2|4     as stored
// @define SRC_DEPTH 8|16|32   bits of a channel
// @define GUIDE     0|1
// @define HIDES     0|1       whether the last channel is alpha
// @skip CHANNELS=1 HIDES=1
#include "lib/texel.glsl"
#include "lib/reproducible.glsl"
#include "lib/hidden.glsl"
#include "lib/value.glsl"

layout(local_size_x = 16, local_size_y = 8) in;

#if GUIDE == 1
layout(rgba32ui) readonly uniform uimage2D i_guide;
#endif
layout(rgba32ui) writeonly uniform uimage2D i_values;
layout(rgba32ui) writeonly uniform uimage2D i_products;

uniform float u_middle; // of the range

#define MISSING uintBitsToFloat(0x7fc00000u)

#define COLOURS (CHANNELS == 4 ? 3 : 1)
#define LANES (CHANNELS == 4 ? 4 : 1 + GUIDE) // of a pixel of the results
#define PIXELS (4 / LANES)

float value_of(uint bits) {
#if SRC_DEPTH == 32
    precise float value = float_of_bits(bits) - u_middle;
#else
    precise float value = float(bits) - u_middle;
#endif
    return value;
}

bool is_hidden(uvec4 texel, int pixel) {
#if HIDES == 1
    return hides(lane_bits(texel, pixel * CHANNELS + CHANNELS - 1));
#else
    return false;
#endif
}

void main() {
    ivec2 unit = ivec2(gl_GlobalInvocationID.xy);
    vec4 values = vec4(0.0);
    vec4 products = vec4(0.0);
    for (int p = 0; p < PIXELS; ++p) {
        int x = unit.x * PIXELS + p;
        uvec4 texel = texel_at(ivec2(x / SRC_PIXELS, unit.y));
        float guide = 0.0;
#if GUIDE == 1
        precise float moved = float_of_bits(imageLoad(i_guide, ivec2(x / 4, unit.y))[x % 4]) - u_middle;
        guide = moved;
        values[p * LANES + COLOURS] = guide;
        products[p * LANES + COLOURS] = product_of(guide, guide);
#endif
        for (int c = 0; c < COLOURS; ++c) {
            float value = value_of(lane_bits(texel, x % SRC_PIXELS * CHANNELS + c));
            values[p * LANES + c] = value;
            products[p * LANES + c] = product_of(value, GUIDE == 1 ? guide : value);
        }
        for (int lane = 0; lane < LANES && is_hidden(texel, x % SRC_PIXELS); ++lane) {
            values[p * LANES + lane] = MISSING;
            products[p * LANES + lane] = MISSING;
        }
    }
    imageStore(i_values, unit, floatBitsToUint(values));
    imageStore(i_products, unit, floatBitsToUint(products));
}
