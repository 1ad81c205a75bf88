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
// @define FETCHED  0|1         lib/texel.glsl
// @define ALPHA    0|1         1: colour is weighted by alpha
// @skip CHANNELS=1 ALPHA=1
// @skip TAPS=1 ALPHA=1
#pragma optionNV(unroll all)
#define SRC_DEPTH DEPTH
#define LIGHT 0
#include "lib/run.glsl"
#include "lib/reproducible.glsl"
#include "lib/code.glsl"
#include "lib/unweighted.glsl"

#define PHASES 2048
#define RUNS ((TAPS + SRC_PIXELS - 1) / SRC_PIXELS) // that hold TAPS pixels

layout(local_size_x = 8, local_size_y = 8) in;

layout(rgba32ui) writeonly uniform uimage2D i_dst;
#if TAPS > 1
layout(std430) readonly buffer b_phases { vec2 phases[]; };
#endif

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

float lane_value(uvec4 texel, int lane) {
#if SRC_DEPTH == 32
    return uintBitsToFloat(texel[lane]);
#else
    return float(lane_bits(texel, lane));
#endif
}

float add_tap(float sum, float weight, float value) {
    return weight == 0.0 ? sum : add_product(sum, weight, value); // weights of 0 let no NaN through
}

#if TAPS == 1
void sum_around(dvec2 point, out float sums[CHANNELS]) {
    uvec4 run = run_from(ivec2(floor(point)));
    for (int c = 0; c < CHANNELS; ++c) {
        sums[c] = lane_value(run, c);
    }
}
#else
// A point along an axis, from the centre of the pixel before it on.
struct Place {
    int phase;
    float share; // of the way to the next phase
};

Place place_of(float part) {
    float place = part * float(PHASES);
    int phase = min(int(place), PHASES - 1);
    return Place(phase, place - float(phase));
}

// The weight of pixel k of those around, between those of the two nearest phases.
float weight_of(Place place, int k) {
    float low = phases[(place.phase * TAPS + k) / 2][k % 2];
    float high = phases[((place.phase + 1) * TAPS + k) / 2][k % 2];
    return add_product(low, place.share, high - low);
}

// Adds row `j` of the pixels around, which these runs hold.
void add_row(uvec4 runs[RUNS], float across[TAPS], float down, inout float sums[CHANNELS]) {
    float row[CHANNELS];
    for (int c = 0; c < CHANNELS; ++c) {
        row[c] = 0.0;
    }
    for (int i = 0; i < TAPS; ++i) {
        uvec4 run = runs[i / SRC_PIXELS];
        int first = i % SRC_PIXELS * CHANNELS;
        for (int c = 0; c < CHANNELS; ++c) {
            float value = lane_value(run, first + c);
            bool is_weighted = ALPHA == 1 && c < CHANNELS - 1;
            row[c] = add_tap(row[c], across[i], is_weighted ? product_of(value, lane_value(run, first + CHANNELS - 1)) : value);
        }
    }
    for (int c = 0; c < CHANNELS; ++c) {
        sums[c] = add_tap(sums[c], down, row[c]);
    }
}

void sum_around(dvec2 point, out float sums[CHANNELS]) {
    dvec2 corner = floor(point - 0.5);
    vec2 part = vec2(point - 0.5 - corner);
    ivec2 at = ivec2(corner) - (TAPS / 2 - 1);
    Place place_x = place_of(part.x);
    Place place_y = place_of(part.y);
    float across[TAPS];
    for (int k = 0; k < TAPS; ++k) {
        across[k] = weight_of(place_x, k);
    }
    for (int c = 0; c < CHANNELS; ++c) {
        sums[c] = 0.0;
    }
    uvec4 runs[RUNS];
    bool inside = at.x >= 0 && at.y >= 0 && at.x + RUNS * SRC_PIXELS <= u_size.x && at.y + TAPS <= u_size.y;
    if (inside) {
        for (int j = 0; j < TAPS; ++j) {
            for (int r = 0; r < RUNS; ++r) {
                runs[r] = inside_run(at + ivec2(r * SRC_PIXELS, j));
            }
            add_row(runs, across, weight_of(place_y, j), sums);
        }
    }
    // A loop that most never enter, not an else: renderers that run both sides of an if skip such a loop.
    for (int j = inside ? TAPS : 0; j < TAPS; ++j) {
        for (int r = 0; r < RUNS; ++r) {
            runs[r] = outside_run(at + ivec2(r * SRC_PIXELS, j));
        }
        add_row(runs, across, weight_of(place_y, j), sums);
    }
}
#endif

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    uvec4 texel = uvec4(0u);
    for (int p = 0; p < SRC_PIXELS; ++p) {
        float sums[CHANNELS];
        sum_around(point_of(u_first + ivec2(at.x * SRC_PIXELS + p, at.y)), sums);
        for (int c = 0; c < CHANNELS; ++c) {
            bool is_weighted = ALPHA == 1 && c < CHANNELS - 1;
            put_code(texel, p * CHANNELS + c, is_weighted ? unweighted(sums[c], sums[CHANNELS - 1]) : sums[c]);
        }
    }
    imageStore(i_dst, at, texel);
}
