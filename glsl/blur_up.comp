#version 430 core
// Fast Gaussian blur, second half: every pixel from the TAPS means around it, along one axis.
//
// Reads   i_src     float means; of AXIS 1 those that AXIS 0 has spread along x
//         b_taps    weights of the means for each phase of the axis, padded to whole vectors
//         i_kept    the image, whose alpha is kept with ALPHA 2
// Writes  i_dst     the result
// Group grid        AXIS 0: x covers the texels of the result, y the rows of means.
//                   AXIS 1: x covers the units, y the rows of the result, u_rows an invocation
// Shared memory     none; invocations are independent, groups come in any order.
// Source            P. Burt, Fast filter transforms for image processing, CGIP 16(1), 1981. See ops/fast_axis.hpp.
//
// @define AXIS      0|1       along x, along y
// @define CHANNELS  1|2|4     as stored
// @define DST_DEPTH 8|16|32   bits of a channel
// @define ALPHA     0|1|2     lib/pixel.glsl
// @define TAPS      8|10|12
// @skip AXIS=0 DST_DEPTH=8
// @skip AXIS=0 DST_DEPTH=16
// @skip AXIS=0 ALPHA=1
// @skip AXIS=0 ALPHA=2
// @skip CHANNELS=1 ALPHA=1
// @skip CHANNELS=1 ALPHA=2
#pragma optionNV(unroll all)
#define SRC_DEPTH 32
#include "lib/pixel.glsl"

#define TAP_VECTORS ((TAPS + 3) / 4)

layout(local_size_x = 32, local_size_y = 4) in;

layout(std430) readonly buffer b_taps { vec4 taps[]; };

uniform int u_factor;
uniform int u_shift; // pixel x is in phase (x + shift) mod factor of block (x + shift) / factor
uniform int u_first; // the first mean of a block is number block - u_first

#if AXIS == 0
vec4 pixel_at(int x, int row) {
    int block = (x + u_shift) / u_factor;
    int phase = x + u_shift - block * u_factor;
    vec4 sum = vec4(0.0);
    for (int i = 0; i < TAPS; ++i) {
        int n = block - u_first + i;
        uvec4 texel = imageLoad(i_src, ivec2(n / SRC_PIXELS, row));
        vec4 values = vec4(0.0);
        for (int c = 0; c < CHANNELS; ++c) {
            values[c] = uintBitsToFloat(texel[n % SRC_PIXELS * CHANNELS + c]);
        }
        sum += taps[phase * TAP_VECTORS + i / 4][i % 4] * values;
    }
    return sum;
}

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    vec4 result = vec4(0.0);
    for (int p = 0; p < SRC_PIXELS; ++p) {
        vec4 pixel = pixel_at(at.x * SRC_PIXELS + p, at.y);
        for (int c = 0; c < CHANNELS; ++c) {
            result[p * CHANNELS + c] = pixel[c];
        }
    }
    imageStore(i_dst, at, floatBitsToUint(result));
}
#else
layout(rgba32ui) readonly uniform uimage2D i_kept;

uniform int u_rows;

// As lane_value() of lib/pixel.glsl, of a texel that has the format of the result.
float kept_value(uvec4 texel, int lane) {
#if DST_DEPTH == 8
    return float(bitfieldExtract(texel[lane >> 2], (lane & 3) * 8, 8));
#elif DST_DEPTH == 16
    return float(bitfieldExtract(texel[lane >> 1], (lane & 1) * 16, 16));
#else
    return uintBitsToFloat(texel[lane]);
#endif
}

void keep_alpha(int unit, int y, inout float values[UNIT_LANES]) {
#if ALPHA == 2
    uvec4 texel = imageLoad(i_kept, ivec2(unit, y));
    for (int lane = CHANNELS - 1; lane < UNIT_LANES; lane += CHANNELS) {
        values[lane] = kept_value(texel, lane);
    }
#endif
}

void load_row(int unit, int row, out vec4 values[SRC_TEXELS]) {
    for (int t = 0; t < SRC_TEXELS; ++t) {
        values[t] = uintBitsToFloat(imageLoad(i_src, ivec2(unit * SRC_TEXELS + t, row)));
    }
}

void main() {
    int unit = int(gl_GlobalInvocationID.x);
    int y = int(gl_GlobalInvocationID.y) * u_rows;
    int end = min(y + u_rows, u_size.y);
    vec4 rows[TAPS][SRC_TEXELS];
    int block = (y + u_shift) / u_factor;
    for (int i = 1; i < TAPS; ++i) {
        load_row(unit, block - u_first + i - 1, rows[i]);
    }
    while (y < end) {
        for (int i = 0; i < TAPS - 1; ++i) {
            rows[i] = rows[i + 1];
        }
        load_row(unit, block - u_first + TAPS - 1, rows[TAPS - 1]);
        int until = min((block + 1) * u_factor - u_shift, end);
        for (; y < until; ++y) {
            int phase = y + u_shift - block * u_factor;
            float sums[UNIT_LANES];
            for (int lane = 0; lane < UNIT_LANES; ++lane) {
                sums[lane] = 0.0;
            }
            for (int i = 0; i < TAPS; ++i) {
                float weight = taps[phase * TAP_VECTORS + i / 4][i % 4];
                for (int lane = 0; lane < UNIT_LANES; ++lane) {
                    sums[lane] += weight * rows[i][lane / 4][lane % 4];
                }
            }
            unpremultiply(sums);
            keep_alpha(unit, y, sums);
            store_unit(unit, y, sums);
        }
        ++block;
    }
}
#endif
