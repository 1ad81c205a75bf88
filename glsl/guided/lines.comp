#version 430 core
// Guided filter, second step: for the window around each pixel, the line from the guide's values to each colour's. It has the least
// squared error, except that u_eps makes its slope smaller.
//
// Reads   i_values    means of the values of guided/products.comp
//         i_products  means of its products
// Writes  i_slopes    of each colour
//         i_heights   the value of each colour's line where the guide is 0
// Group grid          covers the texels of i_slopes
// Shared bytes        none; invocations are independent, groups come in any order
// Source              see guided/products.comp
//
// @define COLOURS 1|3
// @define GUIDE   0|1   whether the last channel of both images is the guide; else each colour is its own
#include "guided/lines.glsl"

layout(local_size_x = 16, local_size_y = 8) in;

layout(rgba32ui) readonly uniform uimage2D i_values;
layout(rgba32ui) readonly uniform uimage2D i_products;
layout(rgba32ui) writeonly uniform uimage2D i_slopes;
layout(rgba32ui) writeonly uniform uimage2D i_heights;

uniform float u_eps; // in squared code units

#define LANES (COLOURS == 3 ? 4 : 1 + GUIDE) // of a pixel of the means
#define PIXELS (COLOURS == 3 ? 1 : 4)        // of a texel of the results
#define FROM_PIXELS (4 / LANES)

void main() {
    ivec2 unit = ivec2(gl_GlobalInvocationID.xy);
    vec4 slopes = vec4(0.0);
    vec4 heights = vec4(0.0);
    for (int p = 0; p < PIXELS; ++p) {
        int x = unit.x * PIXELS + p;
        ivec2 from = ivec2(x / FROM_PIXELS, unit.y);
        int lane = x % FROM_PIXELS * LANES;
        vec4 values = uintBitsToFloat(imageLoad(i_values, from));
        vec4 products = uintBitsToFloat(imageLoad(i_products, from));
        for (int c = 0; c < COLOURS; ++c) {
            int guide = lane + (GUIDE == 1 ? COLOURS : c);
            float variance = covariance(products[guide], values[guide], values[guide]);
            float shared_variance = covariance(products[lane + c], values[lane + c], values[guide]);
            float slope = slope_of(GUIDE == 1 ? shared_variance : max(variance, 0.0), variance, u_eps);
            slopes[p * COLOURS + c] = slope;
            heights[p * COLOURS + c] = height_of(values[lane + c], slope, values[guide]);
        }
    }
    imageStore(i_slopes, unit, floatBitsToUint(slopes));
    imageStore(i_heights, unit, floatBitsToUint(heights));
}
