#version 430 core
// An image whose outliers became the median: values that differ from it by more than u_threshold. A hidden pixel,
// which has no colour, gets the median's.
//
// Reads   i_src      the image
//         i_medians  of the same format
// Writes  i_dst      both
// Group grid         covers the texels
// Shared bytes       none; invocations are independent, groups come in any order
//
// @define CHANNELS  1|2|4     as stored
// @define SRC_DEPTH 8|16|32   bits of a channel
// @define ALPHA     0|1       whether the last channel is alpha
// @skip CHANNELS=1 ALPHA=1
#define DST_DEPTH SRC_DEPTH
#include "lib/texel.glsl"
#include "lib/put_lane.glsl"
#include "lib/hidden.glsl"

layout(local_size_x = 32, local_size_y = 8) in;

layout(rgba32ui) readonly uniform uimage2D i_medians;
layout(rgba32ui) writeonly uniform uimage2D i_dst;

uniform int u_sides; // 1 brighter, 2 darker, 3 both
#if SRC_DEPTH == 32
uniform float u_threshold;

// NaN, which is missing, is not replaced.
bool is_outlier(uint own, uint median) {
    precise float above = float_of_bits(own) - float_of_bits(median);
    above = without_denormal((u_sides & 1) == 0 ? min(above, 0.0) : (u_sides & 2) == 0 ? max(above, 0.0) : above);
    return own != median && (own & 0x7fffffffu) <= 0x7f800000u && abs(above) > u_threshold;
}
#else
uniform int u_threshold;

bool is_outlier(uint own, uint median) {
    int above = int(own) - int(median);
    above = (u_sides & 1) == 0 ? min(above, 0) : (u_sides & 2) == 0 ? max(above, 0) : above;
    return abs(above) > u_threshold;
}
#endif

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    uvec4 own = imageLoad(i_src, at);
    uvec4 medians = imageLoad(i_medians, at);
    uvec4 result = uvec4(0u);
    for (int lane = 0; lane < SRC_LANES; ++lane) {
        int alpha = lane / CHANNELS * CHANNELS + CHANNELS - 1;
        bool is_hidden = ALPHA == 1 && lane != alpha && hides(lane_bits(own, alpha));
        uint value = lane_bits(own, lane);
        uint median = lane_bits(medians, lane);
        put_lane(result, lane, is_hidden || is_outlier(value, median) ? median : value);
    }
    imageStore(i_dst, at, result);
}
