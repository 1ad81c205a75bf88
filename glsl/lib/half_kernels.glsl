// The sums of `walk`, by half kernels in uniforms. A radius is at most half of PART_TAPS in lib/separable.glsl, so that sums
// need no parts, and boxes of integers come here only while floats add them up exactly.
//
// Needs lib/pixel.glsl, with results of the source's depth, and RADIUS, the largest radius.
#define WHOLE 0
#include "lib/tap.glsl"

uniform float u_taps_x[RADIUS + 1]; // zero beyond the radius
uniform float u_taps_y[RADIUS + 1];
uniform float u_scale; // 1 / the sum of all weights

#define REACH ((RADIUS + SRC_PIXELS - 1) / SRC_PIXELS) // texels left and right that a texel depends on

// Adds the texel that lies `t` texels to the right to the sums along x of a texel. From left to right, for each of those
// it depends on.
void add_texel(int t, uvec4 texel, inout float sums[UNIT_LANES]) {
    float values[UNIT_LANES];
    for (int lane = 0; lane < UNIT_LANES; ++lane) {
        values[lane] = lane_value(texel, lane);
    }
    premultiply(values);
    for (int to = 0; to < UNIT_LANES; ++to) {
        for (int p = 0; p < UNIT_PIXELS; ++p) {
            int distance = t * UNIT_PIXELS + p - to / CHANNELS;
            if (abs(distance) <= RADIUS) {
                float weight = channel_tap(to % CHANNELS, distance, u_taps_x[abs(distance)]);
                sums[to] = add_tap(sums[to], weight, values[p * CHANNELS + to % CHANNELS]);
            }
        }
    }
}
