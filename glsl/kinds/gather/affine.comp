#version 430 core
// A picture seen through an affine map, or any other. Each pixel of the result is a weighted mean of TAPS x TAPS pixels around a
// point of the source, or the mean of several such means. An invocation makes a texel.
//
// Groups whose pixels all lie within the picture have a program of their own. Mesa's software renderers run code under
// a condition, and the body of a loop once, even if no invocation takes part.
//
// That point is computed in double precision, and the table of weights was made in it. So every driver gives the same
// bits, however the picture is cut.
//
// Reads   i_src      a part of the source
//         i_phases   weights of TAPS pixels for points 0/PHASES to (PHASES - 1)/PHASES of a pixel right of a centre.
//                    With each goes its growth to the next point. With LONG_SUMS both are doubles, and the change of
//                    the growth is there too
//         b_points   a pair of doubles for each pixel of some rows of the result, or each sample of it: its point in the source
//         b_strips   the strips of STRIP_GROUPS groups side by side that there are: column | row << 16
// Writes  i_dst      a part of the result
// Shared memory      none; invocations are independent, groups come in any order.
// Source             G. Wolberg, Digital Image Warping, 1990: the inverse map, and a filter around it
//
// @define TAPS     1|2|4|6     1: the pixel that the point lies in
// @define BORDER   0|1|2|3|4   lib/border.glsl
// @define CHANNELS 1|2|4       as stored
// @define DEPTH    8|16|32     bits of a channel
// @define FETCHED  0|1         lib/texel.glsl
// @define EDGE     0|1         whether pixels around may be beyond the picture
// @define PADDED   0|1         1: the last channel is padding, and is not summed
// @define ALPHA    0|1         1: colour is weighted by alpha
// @define MAPPED   0|1         1: b_points has the points, instead of a matrix
// @define SAMPLED  0|1         1: a pixel is the mean of u_samples x u_samples samples, and each sample has its point
// @skip CHANNELS=1 ALPHA=1
// @skip CHANNELS=1 PADDED=1
// @skip CHANNELS=2 PADDED=1
// @skip PADDED=1 ALPHA=1
// @skip TAPS=1 ALPHA=1
// @skip TAPS=1 SAMPLED=1
#if EDGE == 0 // EDGE 1 takes each pixel of each run on its own: NVIDIA's linker fails if that is unrolled
#pragma optionNV(unroll all)
#endif
#define SRC_DEPTH DEPTH
#define LIGHT 0
#include "lib/run.glsl"
#include "lib/reproducible.glsl"
#include "lib/code.glsl"
#include "lib/hidden.glsl"
#include "lib/unweighted.glsl"

// Weights below 0 may leave almost no alpha, by which colour is divided. Products of 16 bits and 16 bits then need more
// than the 24 bits of a float, and so do their weights.
#define LONG_SUMS (ALPHA == 1 && SRC_DEPTH == 16)
#if LONG_SUMS
#include "lib/long_sums.glsl"
#define SUM uvec2 // the words of a double
#else
#define SUM float
#endif

#define SUMMED (CHANNELS - PADDED)
#define PHASES 2048
#define PHASE_COLUMNS 64 // phases in a row of i_phases
#define STRIP_GROUPS 4
#define RUNS ((TAPS + SRC_PIXELS - 1) / SRC_PIXELS) // that hold TAPS pixels

layout(local_size_x = 8, local_size_y = 8) in;
#include "lib/group.glsl"

layout(rgba32ui) writeonly uniform uimage2D i_dst;
#if TAPS > 1 && FETCHED == 1
uniform usampler2D i_phases;
#elif TAPS > 1
layout(rgba32ui) readonly uniform uimage2D i_phases;
#endif

layout(std430) readonly buffer b_strips { uint strips[]; };

uniform int u_groups;  // in all
uniform ivec2 u_first; // the pixel of the result that is the first of i_dst, or its first sample
#if SAMPLED == 1
uniform int u_samples;
uniform uvec4 u_share; // 1 / their number, as a double; then as a float
#endif
#if MAPPED == 1
layout(std430) readonly buffer b_points { uvec4 points[]; };
uniform ivec2 u_points;    // pixels of i_dst, or samples
uniform int u_points_row; // the row of i_dst where the points begin
#else
// Pairs of doubles: where the result's corner lies in the source, and how far that point moves for a pixel right and
// down.
uniform uvec4 u_origin;
uniform uvec4 u_right;
uniform uvec4 u_down;
#endif

dvec2 doubles_of(uvec4 words) {
    return dvec2(packDouble2x32(words.xy), packDouble2x32(words.zw));
}

#if MAPPED == 1
// The last texels of a row, and groups, may reach beyond the result.
dvec2 point_of(ivec2 pixel) {
    ivec2 at = min(pixel - u_first, u_points - 1);
    return doubles_of(points[(at.y - u_points_row) * u_points.x + at.x]);
}
#else
dvec2 point_of(ivec2 pixel) {
    dvec2 centre = dvec2(pixel) + 0.5;
    precise dvec2 right = doubles_of(u_right) * centre.x;
    precise dvec2 down = doubles_of(u_down) * centre.y;
    precise dvec2 both = right + down;
    precise dvec2 point = doubles_of(u_origin) + both;
    return point;
}
#endif

float lane_value(uvec4 texel, int lane) {
#if SRC_DEPTH == 32
    return float_of_bits(texel[lane]);
#else
    return float(lane_bits(texel, lane));
#endif
}

uvec4 run_around(ivec2 from) {
#if EDGE == 1
    return outside_run(from, min(TAPS, SRC_PIXELS));
#else
    return inside_run(from);
#endif
}

// The values that are summed.
#if LONG_SUMS
uvec2 add_tap(uvec2 sum, uvec2 weight, uvec2 value) {
    return add_product(sum, weight, value);
}

uvec2 weighted_value(float value, float alpha) {
    return long_product_of(value, alpha);
}

uvec2 plain_value(float value) {
    return unpackDouble2x32(double(value));
}

float plain_code(uvec2 sum) {
    return nearest_code(sum);
}
#else
float add_tap(float sum, float weight, float value) {
#if SRC_DEPTH == 32
    return weight == 0.0 ? sum : add_product(sum, weight, value); // weights of 0 let no NaN through
#else
    return add_product(sum, weight, value);
#endif
}

float weighted_value(float value, float alpha) {
    return weighted_colour(value, alpha);
}

float plain_value(float value) {
    return value;
}

float plain_code(float sum) {
    return sum;
}
#endif

#if TAPS == 1
void sum_around(dvec2 point, out float sums[SUMMED]) {
    uvec4 run = run_around(ivec2(floor(point)));
    for (int c = 0; c < SUMMED; ++c) {
        sums[c] = lane_value(run, c);
    }
}
#else
uvec4 phase_texel(ivec2 at) {
#if FETCHED == 1
    return texelFetch(i_phases, at, 0);
#else
    return imageLoad(i_phases, at);
#endif
}

// The weights of the pixels around a point that is `part` of the way from the centre of the pixel before it. They lie
// between the weights of two phases.
#if LONG_SUMS
// A cubic: weight + share x (growth + share x (bend + share x twist)).
uvec2 weight_between(double share, uvec2 weight, uvec2 growth, uvec2 bends) {
    vec2 bend_and_twist = uintBitsToFloat(bends);
    precise double twist = share * double(bend_and_twist.y);
    precise double bend = double(bend_and_twist.x) + twist;
    precise double bending = share * bend;
    precise double slope = packDouble2x32(growth) + bending;
    return add_product(weight, unpackDouble2x32(share), unpackDouble2x32(slope));
}

void load_weights(double part, out uvec2 weights[TAPS]) {
    double place = part * double(PHASES);
    int phase = min(int(place), PHASES - 1);
    double share = place - double(phase);
    ivec2 at = ivec2(phase % PHASE_COLUMNS * (TAPS / 2 * 3), phase / PHASE_COLUMNS);
    for (int t = 0; t < TAPS / 2; ++t) {
        uvec4 pair = phase_texel(at + ivec2(3 * t, 0));
        uvec4 growths = phase_texel(at + ivec2(3 * t + 1, 0));
        uvec4 bends = phase_texel(at + ivec2(3 * t + 2, 0));
        weights[2 * t] = weight_between(share, pair.xy, growths.xy, bends.xy);
        weights[2 * t + 1] = weight_between(share, pair.zw, growths.zw, bends.zw);
    }
}
#else
void load_weights(double exact_part, out float weights[TAPS]) {
    float part = float(exact_part);
#if TAPS == 2
    precise float rest = 1.0 - part; // the same as by i_phases, whose weights and growths are exact here
    weights[0] = rest;
    weights[1] = part;
#else
    float place = part * float(PHASES);
    int phase = min(int(place), PHASES - 1);
    float share = place - float(phase);
    ivec2 at = ivec2(phase % PHASE_COLUMNS * (TAPS / 2), phase / PHASE_COLUMNS);
    for (int t = 0; t < TAPS / 2; ++t) {
        vec4 pair = uintBitsToFloat(phase_texel(at + ivec2(t, 0)));
        weights[2 * t] = add_product(pair.x, share, pair.z);
        weights[2 * t + 1] = add_product(pair.y, share, pair.w);
    }
#endif
}
#endif

// Adds a row of the pixels around, which these runs hold.
void add_row(uvec4 runs[RUNS], SUM across[TAPS], SUM down, inout SUM sums[SUMMED]) {
    SUM row[SUMMED];
    for (int c = 0; c < SUMMED; ++c) {
        row[c] = SUM(0.0);
    }
    for (int i = 0; i < TAPS; ++i) {
        uvec4 run = runs[i / SRC_PIXELS];
        int first = i % SRC_PIXELS * CHANNELS;
        for (int c = 0; c < SUMMED; ++c) {
            float value = lane_value(run, first + c);
            bool is_weighted = ALPHA == 1 && c < CHANNELS - 1;
            row[c] = add_tap(row[c], across[i],
                             is_weighted ? weighted_value(value, lane_value(run, first + CHANNELS - 1)) : plain_value(value));
        }
    }
    for (int c = 0; c < SUMMED; ++c) {
        sums[c] = add_tap(sums[c], down, row[c]);
    }
}

void sum_around(dvec2 point, out SUM sums[SUMMED]) {
    dvec2 corner = floor(point - 0.5);
    dvec2 part = point - 0.5 - corner;
    ivec2 at = ivec2(corner) - (TAPS / 2 - 1);
    SUM across[TAPS];
    SUM down[TAPS];
    load_weights(part.x, across);
    load_weights(part.y, down);
    for (int c = 0; c < SUMMED; ++c) {
        sums[c] = SUM(0.0);
    }
    for (int j = 0; j < TAPS; ++j) {
        uvec4 runs[RUNS];
        for (int r = 0; r < RUNS; ++r) {
            runs[r] = run_around(at + ivec2(r * SRC_PIXELS, j));
        }
        add_row(runs, across, down[j], sums);
    }
}
#endif

#if SAMPLED == 1
#if LONG_SUMS
SUM share_of(SUM sum) {
    return add_product(SUM(0u), u_share.xy, sum);
}

SUM both_of(SUM a, SUM b) {
    return add_product(a, unpackDouble2x32(1.0LF), b);
}
#else
SUM share_of(SUM sum) {
    return product_of(sum, uintBitsToFloat(u_share.z));
}

SUM both_of(SUM a, SUM b) {
    precise SUM sum = a + b;
    return sum;
}
#endif

// Row by row.
void sum_of_pixel(ivec2 pixel, out SUM sums[SUMMED]) {
    for (int c = 0; c < SUMMED; ++c) {
        sums[c] = SUM(0.0);
    }
    for (int i = 0; i < u_samples * u_samples; ++i) {
        SUM sample_sums[SUMMED];
        sum_around(point_of(u_first + pixel * u_samples + ivec2(i % u_samples, i / u_samples)), sample_sums);
        for (int c = 0; c < SUMMED; ++c) {
            sums[c] = both_of(sums[c], sample_sums[c]);
        }
    }
    for (int c = 0; c < SUMMED; ++c) {
        sums[c] = share_of(sums[c]);
    }
}
#else
void sum_of_pixel(ivec2 pixel, out SUM sums[SUMMED]) {
    sum_around(point_of(u_first + pixel), sums);
}
#endif

void main() {
    uint group = min(linear_group(), uint(u_groups - 1));
    uint strip = strips[group / STRIP_GROUPS];
    ivec2 corner = ivec2((strip & 65535u) * STRIP_GROUPS + group % STRIP_GROUPS, strip >> 16) * 8;
    ivec2 at = corner + ivec2(gl_LocalInvocationID.xy);
    uvec4 texel = uvec4(0u);
    for (int p = 0; p < SRC_PIXELS; ++p) {
        SUM sums[SUMMED];
        sum_of_pixel(ivec2(at.x * SRC_PIXELS + p, at.y), sums);
#if SRC_DEPTH == 32 && TAPS > 1
        for (int c = 0; c < SUMMED; ++c) {
            sums[c] = begun_with_zero(sums[c]);
        }
#endif
        for (int c = 0; c < SUMMED; ++c) {
            bool is_weighted = ALPHA == 1 && c < CHANNELS - 1;
            put_code(texel, p * CHANNELS + c, is_weighted ? unweighted(sums[c], sums[SUMMED - 1]) : plain_code(sums[c]));
        }
    }
    imageStore(i_dst, at, texel);
}
