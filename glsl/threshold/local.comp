#version 430 core
// Black and white by a threshold that follows what is around each pixel; alpha is kept.
//
// Reads   i_src      the image
//         i_value    its luma, one channel; with MOMENTS that of moments.glsl
//         i_around   the mean of i_value around each pixel, in the same form
// Writes  i_dst      1 or 0 in every colour
// Group grid         covers the texels
// Shared memory      none; invocations are independent, groups come in any order.
// Source             J. Sauvola, M. Pietikainen, Adaptive document image binarization, Pattern Recognition 33, 2000 (MOMENTS).
//
// @define CHANNELS  1|2|4     as stored
// @define SRC_DEPTH 8|16|32   bits of a channel
// @define MOMENTS   0|1       whether the threshold goes by mean and standard deviation
#define DST_DEPTH SRC_DEPTH
#include "lib/texel.glsl"
#include "lib/put_lane.glsl"
#include "lib/elementary.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

layout(rgba32ui) readonly uniform uimage2D i_value;
layout(rgba32ui) readonly uniform uimage2D i_around;
layout(rgba32ui) writeonly uniform uimage2D i_dst;

uniform int u_least; // codes that white is above the mean, at least
uniform float u_k;   // the same of floats, negative; Sauvola's k

#if SRC_DEPTH == 32
#define WHITE floatBitsToUint(1.0)
#else
#define WHITE ((1u << SRC_DEPTH) - 1u)
#endif

#if MOMENTS == 1
// Values are those above 1/2, means those of these and of their squares.
bool is_white(ivec2 at) {
    ivec2 texel = ivec2(at.x >> 1, at.y);
    int lane = (at.x & 1) * 2;
    uvec4 around = imageLoad(i_around, texel);
    float value = uintBitsToFloat(imageLoad(i_value, texel)[lane]);
    float mean = uintBitsToFloat(around[lane]);
    precise float variance = uintBitsToFloat(around[lane + 1]) - product_of(mean, mean);
    precise float away = product_of(2.0, root_of(max(variance, 0.0))) - 1.0; // 1/2 is the largest standard deviation
    precise float bright = mean + 0.5;
    precise float threshold = product_of(bright, add_product(1.0, u_k, away)) - 0.5;
    return value > threshold;
}
#else
bool is_white(ivec2 at) {
    ivec2 texel = ivec2(at.x / SRC_LANES, at.y);
    int lane = at.x % SRC_LANES;
    uint value = lane_bits(imageLoad(i_value, texel), lane);
    uint mean = lane_bits(imageLoad(i_around, texel), lane);
#if SRC_DEPTH == 32
    precise float threshold = uintBitsToFloat(mean) - u_k;
    return uintBitsToFloat(value) > threshold;
#else
    return int(value) - int(mean) >= u_least;
#endif
}
#endif

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    uvec4 source = imageLoad(i_src, at);
    uvec4 result = uvec4(0u);
    for (int pixel = 0; pixel < SRC_PIXELS; ++pixel) {
        uint colour = is_white(ivec2(at.x * SRC_PIXELS + pixel, at.y)) ? WHITE : 0u;
        for (int c = 0; c < CHANNELS; ++c) {
            int lane = pixel * CHANNELS + c;
            put_lane(result, lane, CHANNELS > 1 && c == CHANNELS - 1 ? lane_bits(source, lane) : colour);
        }
    }
    imageStore(i_dst, at, result);
}
