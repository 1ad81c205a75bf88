#version 430 core
// One plane of luma or of a colour difference out of RGB or grey. Where it has fewer samples, each is a weighted mean of
// the pixels about it.
//
// @define SRC_DEPTH 8|16|32     of the picture
// @define DST_DEPTH 8|16        of the plane
// @define CHANNELS 1|2|4        of the picture, as stored; of two the first counts, of four the first three
//
// Reads   i_src   the picture
// Writes  i_dst   the plane
// Shared memory   none; invocations are independent, groups come in any order.
#include "lib/texel.glsl"
#include "lib/put_lane.glsl"
#include "lib/code.glsl"
#include "lib/reproducible.glsl"

layout(local_size_x = 32, local_size_y = 8) in;

layout(rgba32ui) writeonly uniform uimage2D i_dst;

uniform ivec2 u_ratio;     // pixels for one sample, 1 or 2
uniform ivec2 u_first;     // the first pixel that counts, from ratio x sample on
uniform ivec2 u_taps;      // how many count
uniform float u_weights[8]; // four across, then four down; each sums to 1
uniform float u_of_rgb[4]; // factors of the codes of r, g, b, and what is added
uniform float u_most;      // the largest code

#define DST_LANES (128 / DST_DEPTH)

// What the pixel contributes.
float of_pixel(ivec2 at) {
    at = clamp(at, ivec2(0), u_size - 1);
    uvec4 texel = imageLoad(i_src, ivec2(at.x / SRC_PIXELS, at.y));
    int lane = at.x % SRC_PIXELS * CHANNELS;
    float sum = 0.0;
    for (int c = 0; c < 3; ++c) {
        uint bits = lane_bits(texel, CHANNELS == 4 ? lane + c : lane);
#if SRC_DEPTH == 32
        float value = uintBitsToFloat(bits);
#else
        float value = float(bits);
#endif
        sum = add_product(sum, u_of_rgb[c], value);
    }
    return sum;
}

// Columns first, then along them: most of the pixels count for two samples.
void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    ivec2 first = ivec2(at.x * DST_LANES, at.y) * u_ratio + u_first;
    int count = (DST_LANES - 1) * u_ratio.x + u_taps.x;
    float columns[2 * DST_LANES + 2];
    for (int x = 0; x < count; ++x) {
        columns[x] = 0.0;
        for (int y = 0; y < u_taps.y; ++y) {
            columns[x] = add_product(columns[x], u_weights[4 + y], of_pixel(first + ivec2(x, y)));
        }
    }
    uvec4 texel = uvec4(0u);
    for (int lane = 0; lane < DST_LANES; ++lane) {
        float sum = 0.0;
        for (int x = 0; x < u_taps.x; ++x) {
            sum = add_product(sum, u_weights[x], columns[lane * u_ratio.x + x]);
        }
        put_lane(texel, lane, code_of(min(sum + u_of_rgb[3], u_most)));
    }
    imageStore(i_dst, at, texel);
}
