#version 430 core
// A picture seen through an affine map: each pixel of the result is a weighted mean of TAPS x TAPS pixels around a point of the
// source. An invocation makes a texel.
//
// Where that point lies is computed in double precision, and weights come from a table made in it, so that every driver gives
// the same bits, however the picture is cut.
//
// Reads   i_src      a part of the source
//         b_phases   weights of TAPS pixels for points 0/PHASES to PHASES/PHASES of a pixel right of a centre
// Writes  i_dst      a part of the result
// Shared memory      none; invocations are independent, groups come in any order.
// Source             G. Wolberg, Digital Image Warping, 1990: the inverse map, and a filter around it
//
// @define TAPS     1|2|4|6     1: the pixel that the point lies in
// @define BORDER   0|1|2|3|4   lib/border.glsl
// @define CHANNELS 1|2|4       as stored
// @define DEPTH    8|16|32     bits of a channel
// @define ALPHA    0|1         1: colour is weighted by alpha
// @skip CHANNELS=1 ALPHA=1
// @skip TAPS=1 ALPHA=1
#define SRC_DEPTH DEPTH
#define DST_DEPTH DEPTH
#define LIGHT 0
#include "lib/pixel.glsl"
#include "lib/border.glsl"
#include "lib/unweighted.glsl"

#define PHASES 2048

layout(local_size_x = 16, local_size_y = 8) in;

layout(std430) readonly buffer b_phases { float phases[]; };

uniform ivec2 u_part;  // the pixel of the picture that is the first of i_src
uniform ivec2 u_first; // the pixel of the result that is the first of i_dst
// Pairs of doubles: where the point of the result's corner lies in the source, and how far it moves for a pixel right and down.
uniform uvec4 u_origin;
uniform uvec4 u_right;
uniform uvec4 u_down;

dvec2 doubles_of(uvec4 words) {
    return dvec2(packDouble2x32(words.xy), packDouble2x32(words.zw));
}

dvec2 point_of(ivec2 pixel) {
    dvec2 centre = dvec2(pixel) + 0.5;
    precise dvec2 right = doubles_of(u_right) * centre.x;
    precise dvec2 down = doubles_of(u_down) * centre.y;
    precise dvec2 both = right + down;
    precise dvec2 point = doubles_of(u_origin) + both;
    return point;
}

float add_tap(float sum, float weight, float value) {
    return weight == 0.0 ? sum : add_product(sum, weight, value); // weights of 0 let no NaN through
}

// The weights for a point `part` of a pixel right of a centre, between those of the two nearest phases.
void weights_of(float part, out float weights[TAPS]) {
    float place = part * float(PHASES);
    int phase = min(int(place), PHASES - 1);
    float share = place - float(phase);
    for (int k = 0; k < TAPS; ++k) {
        float low = phases[phase * TAPS + k];
        float high = phases[(phase + 1) * TAPS + k];
        weights[k] = add_product(low, share, high - low);
    }
}

// A row or column of the source, -1 beyond a constant border.
void load_pixel(int x, int y, out float values[CHANNELS]) {
    bool inside = x >= 0 && y >= 0;
    ivec2 at = inside ? ivec2(x, y) - u_part : ivec2(0);
    uvec4 texel = inside ? imageLoad(i_src, ivec2(at.x / SRC_PIXELS, at.y)) : u_border_texel;
    for (int c = 0; c < CHANNELS; ++c) {
        values[c] = lane_value(texel, at.x % SRC_PIXELS * CHANNELS + c);
    }
}

void sum_around(dvec2 point, out float sums[CHANNELS]) {
#if TAPS == 1
    ivec2 at = ivec2(floor(point));
    load_pixel(border_index(at.x, u_size.x), border_index(at.y, u_size.y), sums);
#else
    dvec2 corner = floor(point - 0.5);
    vec2 part = vec2(point - 0.5 - corner);
    ivec2 at = ivec2(corner) - (TAPS / 2 - 1);
    float across[TAPS];
    float down[TAPS];
    weights_of(part.x, across);
    weights_of(part.y, down);
    for (int c = 0; c < CHANNELS; ++c) {
        sums[c] = 0.0;
    }
    for (int j = 0; j < TAPS; ++j) {
        int y = border_index(at.y + j, u_size.y);
        float row[CHANNELS];
        for (int c = 0; c < CHANNELS; ++c) {
            row[c] = 0.0;
        }
        for (int i = 0; i < TAPS; ++i) {
            float values[CHANNELS];
            load_pixel(border_index(at.x + i, u_size.x), y, values);
            for (int c = 0; c < CHANNELS; ++c) {
                bool is_weighted = ALPHA == 1 && c < CHANNELS - 1;
                row[c] = add_tap(row[c], across[i], is_weighted ? product_of(values[c], values[CHANNELS - 1]) : values[c]);
            }
        }
        for (int c = 0; c < CHANNELS; ++c) {
            sums[c] = add_tap(sums[c], down[j], row[c]);
        }
    }
#endif
}

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    uvec4 texel = uvec4(0u);
    for (int p = 0; p < SRC_PIXELS; ++p) {
        float sums[CHANNELS];
        sum_around(point_of(u_first + ivec2(at.x * SRC_PIXELS + p, at.y)), sums);
        for (int c = 0; c < CHANNELS; ++c) {
            bool is_weighted = ALPHA == 1 && c < CHANNELS - 1;
            put_lane(texel, p * CHANNELS + c, code_of(is_weighted ? unweighted(sums[c], sums[CHANNELS - 1]) : sums[c]));
        }
    }
    imageStore(i_dst, at, texel);
}
