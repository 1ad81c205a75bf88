// The sums of `walk`, by half kernels in uniforms. A radius is at most half of PART_TAPS in lib/separable.glsl, so sums
// need no parts. Boxes of integers come here only while floats add them up exactly.
//
// Needs lib/pixel.glsl, with results of the source's depth, and RADIUS, the largest radius.
#define WHOLE 0
#include "lib/tap.glsl"

uniform float u_taps_x[RADIUS + 1]; // zero beyond the radius
uniform float u_taps_y[RADIUS + 1];
uniform float u_scale; // 1 / the sum of all weights

#define REACH ((RADIUS + SRC_PIXELS - 1) / SRC_PIXELS) // texels left and right that a unit depends on

// Whole kernels. Renderers that gather loaded values in a loop, lane by lane, get them from load_taps() before it.
float taps_x[2 * RADIUS + 1];
float taps_y[2 * RADIUS + 1];

void load_taps() {
    for (int i = 0; i <= 2 * RADIUS; ++i) {
        taps_x[i] = u_taps_x[abs(i - RADIUS)];
        taps_y[i] = u_taps_y[abs(i - RADIUS)];
    }
}

// Adds channel `c` of a texel to the sums along x of a unit's pixels, from left to right, for each pixel that depends
// on it. The texel lies `t` texels right of the unit's first.
void add_texel(int c, int t, uvec4 texel, inout float sums[UNIT_PIXELS]) {
    float values[SRC_PIXELS];
    for (int p = 0; p < SRC_PIXELS; ++p) {
        values[p] = lane_value(texel, p * CHANNELS + c);
#if ALPHA == 1
        if (c < CHANNELS - 1) {
            values[p] = weighted_colour(values[p], lane_value(texel, p * CHANNELS + CHANNELS - 1));
        }
#endif
    }
    for (int p = 0; p < SRC_PIXELS; ++p) {
        for (int to = 0; to < UNIT_PIXELS; ++to) {
            int distance = t * SRC_PIXELS + p - to;
            if (abs(distance) <= RADIUS) {
                sums[to] = add_tap(sums[to], channel_tap(c, distance, taps_x[distance + RADIUS]), values[p]);
            }
        }
    }
}
