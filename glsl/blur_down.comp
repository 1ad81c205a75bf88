#version 430 core
// Fast Gaussian blur, first half: weighted means of 4 FACTOR pixels along one axis, one for every FACTOR pixels.
//
// Reads   i_src     the image, or what an earlier level wrote
//         u_taps    the 4 FACTOR weights of a mean
// Writes  i_dst     float means
// Group grid        AXIS 0: a mean an invocation. AXIS 1: x covers the texels, y the means, MEANS an invocation
// Shared memory     none; invocations are independent, groups come in any order.
// Source            P. Burt, Fast filter transforms for image processing, CGIP 16(1), 1981. See ops/fast_axis.hpp.
//
// @define AXIS      0|1         along x, along y
// @define BORDER    0|1|2|3|4   lib/border.glsl
// @define CHANNELS  1|2|4       as stored
// @define SRC_DEPTH 8|16|32     bits of a channel
// @define ALPHA     0|1         lib/pixel.glsl
// @define FACTOR    2|3|4|5|6|7|8
// @skip CHANNELS=1 ALPHA=1
#pragma optionNV(unroll all)
#define DST_DEPTH 32
#include "lib/pixel.glsl"
#include "lib/border.glsl"

uniform float u_taps[4 * FACTOR];
uniform int u_first; // where the pixels of mean 0 begin, along the axis
uniform int u_means; // how many there are, along the axis

#if AXIS == 0
layout(local_size_x = 32, local_size_y = 4) in;

// The lanes of pixel x, 4 or fewer.
vec4 pixel_at(int x, int y) {
    int from = border_index(x, u_size.x);
    uvec4 texel = from < 0 ? u_border_texel : imageLoad(i_src, ivec2(from / SRC_PIXELS, y));
    int first = from < 0 ? 0 : from % SRC_PIXELS * CHANNELS;
    vec4 values = vec4(0.0);
    for (int c = 0; c < CHANNELS; ++c) {
        values[c] = lane_value(texel, first + c);
    }
#if ALPHA == 1
    for (int c = 0; c < CHANNELS - 1; ++c) {
        values[c] *= values[CHANNELS - 1];
    }
#endif
    return values;
}

vec4 mean(int n, int y) {
    vec4 sum = vec4(0.0);
    for (int i = 0; i < 4 * FACTOR; ++i) {
        sum += u_taps[i] * pixel_at(u_first + n * FACTOR + i, y);
    }
    return sum;
}

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    vec4 result = vec4(0.0);
    for (int p = 0; p < 4 / CHANNELS; ++p) {
        vec4 pixel = mean(at.x * (4 / CHANNELS) + p, at.y);
        for (int c = 0; c < CHANNELS; ++c) {
            result[p * CHANNELS + c] = pixel[c];
        }
    }
    imageStore(i_dst, at, floatBitsToUint(result));
}
#else
#define MEANS 8

layout(local_size_x = 32, local_size_y = 4) in;

// sums[j] belongs to the mean whose quarter 3 - j this is.
void add_quarter(int unit, int first, inout float sums[4][UNIT_LANES]) {
    uvec4 texels[FACTOR];
    for (int p = 0; p < FACTOR; ++p) {
        int row = border_index(first + p, u_size.y);
        texels[p] = row < 0 ? u_border_texel : imageLoad(i_src, ivec2(unit, row));
    }
    for (int p = 0; p < FACTOR; ++p) {
        float values[UNIT_LANES];
        for (int lane = 0; lane < UNIT_LANES; ++lane) {
            values[lane] = lane_value(texels[p], lane);
        }
        premultiply(values);
        for (int lane = 0; lane < UNIT_LANES; ++lane) {
            for (int j = 0; j < 4; ++j) {
                sums[j][lane] += u_taps[(3 - j) * FACTOR + p] * values[lane];
            }
        }
    }
}

void main() {
    int unit = int(gl_GlobalInvocationID.x);
    int begin = int(gl_GlobalInvocationID.y) * MEANS;
    float sums[4][UNIT_LANES];
    for (int j = 0; j < 4; ++j) {
        for (int lane = 0; lane < UNIT_LANES; ++lane) {
            sums[j][lane] = 0.0;
        }
    }
    for (int quarter = 0; quarter < MEANS + 3; ++quarter) {
        int n = begin + quarter - 3; // the mean that this quarter completes
        if (begin + max(quarter - 3, 0) < u_means) {
            add_quarter(unit, u_first + (begin + quarter) * FACTOR, sums);
            if (quarter >= 3) {
                store_unit(unit, n, sums[0]);
            }
        }
        for (int lane = 0; lane < UNIT_LANES; ++lane) {
            sums[0][lane] = sums[1][lane];
            sums[1][lane] = sums[2][lane];
            sums[2][lane] = sums[3][lane];
            sums[3][lane] = 0.0;
        }
    }
}
#endif
