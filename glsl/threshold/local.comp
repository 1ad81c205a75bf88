#version 430 core
// Black and white by a threshold that follows the neighbourhood of each pixel; alpha is kept.
//
// Reads   i_src      the image
//         i_value    its luma, one channel; with MOMENTS the result of moments.glsl
//         i_around   the mean of i_value around each pixel, in the same form
// Writes  i_dst      1 or 0 in every colour
// Group grid         covers the units: pixels that fill whole texels of i_dst and of i_value
// Shared memory      none; invocations are independent, groups come in any order.
// Source             J. Sauvola, M. Pietikainen, Adaptive document image binarization, Pattern Recognition 33, 2000 (MOMENTS).
//
// @define CHANNELS  1|2|4     as stored
// @define SRC_DEPTH 8|16|32   bits of a channel
// @define MOMENTS   0|1       whether the threshold goes by mean and standard deviation
#define DST_DEPTH SRC_DEPTH
#include "lib/texel.glsl"
#include "lib/put_lane.glsl"
#include "lib/sauvola.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

layout(rgba32ui) readonly uniform uimage2D i_value;
layout(rgba32ui) readonly uniform uimage2D i_around;
layout(rgba32ui) writeonly uniform uimage2D i_dst;

uniform int u_least; // codes by which white is above the mean, at least
uniform float u_k;   // the same of floats, negative; Sauvola's k

#if SRC_DEPTH == 32
#define WHITE floatBitsToUint(1.0)
#else
#define WHITE ((1u << SRC_DEPTH) - 1u)
#endif

#if MOMENTS == 1
#define VALUE_PIXELS 2
#else
#define VALUE_PIXELS SRC_LANES
#endif
#if VALUE_PIXELS > SRC_PIXELS
#define UNIT_PIXELS VALUE_PIXELS
#else
#define UNIT_PIXELS SRC_PIXELS
#endif

// Whether pixel `p` of the texels of i_value and i_around is white.
bool is_white(uvec4 value, uvec4 around, int p) {
#if MOMENTS == 1
    return is_white_by_moments(uintBitsToFloat(value[2 * p]), uintBitsToFloat(around[2 * p]), uintBitsToFloat(around[2 * p + 1]), u_k);
#elif SRC_DEPTH == 32
    precise float threshold = uintBitsToFloat(around[p]) - u_k;
    return uintBitsToFloat(value[p]) > threshold;
#else
    return int(lane_bits(value, p)) - int(lane_bits(around, p)) >= u_least;
#endif
}

void main() {
    ivec2 unit = ivec2(gl_GlobalInvocationID.xy);
    uvec4 source;
    uvec4 value;
    uvec4 around;
    uvec4 result = uvec4(0u);
    for (int p = 0; p < UNIT_PIXELS; ++p) {
        ivec2 at = ivec2(unit.x * (UNIT_PIXELS / SRC_PIXELS) + p / SRC_PIXELS, unit.y);
        if (p % SRC_PIXELS == 0) {
            source = imageLoad(i_src, at);
        }
        if (p % VALUE_PIXELS == 0) {
            ivec2 value_at = ivec2(unit.x * (UNIT_PIXELS / VALUE_PIXELS) + p / VALUE_PIXELS, unit.y);
            value = imageLoad(i_value, value_at);
            around = imageLoad(i_around, value_at);
        }
        uint colour = is_white(value, around, p % VALUE_PIXELS) ? WHITE : 0u;
        for (int c = 0; c < CHANNELS; ++c) {
            int lane = p % SRC_PIXELS * CHANNELS + c;
            put_lane(result, lane, CHANNELS > 1 && c == CHANNELS - 1 ? lane_bits(source, lane) : colour);
        }
        if (p % SRC_PIXELS == SRC_PIXELS - 1) {
            imageStore(i_dst, at, result);
            result = uvec4(0u);
        }
    }
}
