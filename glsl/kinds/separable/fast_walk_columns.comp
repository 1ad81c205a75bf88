#version 430 core
// Fast Gaussian blur, first half along y, for renderers with slow shared memory: one row of sums for each row of
// samples.
//
// Each invocation walks down a column of units, one stride per turn, and keeps the sums of the rows of samples that are
// under way. The sums are the same as in kinds/separable/fast_down.comp, and are added up in the same order.
//
// Reads   i_src      the image, or the samples that are to be reduced again
//         u_taps_y   weights of the rows of a sample: stride p of step i at 8 * i + p
// Writes  i_dst      sums along y as floats: as wide as the image, as high as the samples
// Group grid         x covers the units, y the rows of samples, u_rows an invocation
// Shared memory      none; invocations are independent, groups come in any order
// Source             P. Burt, Fast filter transforms for image processing, CGIP 16(1), 1981. See kinds/separable/fast_axis.hpp.
//
// @define BORDER    0|1|2|3|4          lib/border.glsl
// @define CHANNELS  1|2|4              as stored
// @define PADDED    0|1                1: the last channel is padding, and is not summed
// @define SRC_DEPTH 8|16|32            bits of a channel
// @define ALPHA     0|1                lib/pixel.glsl
// @define WIDTH     5|6                strides that a sample stands for
// @define STRIDE    1|2|3|4|5|6|7|8    rows
// @skip CHANNELS=1 ALPHA=1
// @skip CHANNELS=1 PADDED=1
// @skip CHANNELS=2 PADDED=1
// @skip PADDED=1 ALPHA=1
#define DST_DEPTH 32
#define UNIT_LANES 16
#define LOOKS_AT_DST
#include "lib/pixel.glsl"
#include "lib/border.glsl"
#include "lib/look.glsl"
#define SUMMED (CHANNELS - PADDED)

layout(local_size_x = 16) in;

uniform float u_taps_y[WIDTH * 8];
uniform int u_first;   // the row where sample 0 begins
uniform int u_samples; // rows of them
uniform int u_rows;

float taps[WIDTH][STRIDE];
float under_way[WIDTH - 1][SUMMED][UNIT_PIXELS]; // sums of the next rows of samples

void begin() {
    for (int i = 0; i < WIDTH; ++i) {
        for (int p = 0; p < STRIDE; ++p) {
            taps[i][p] = u_taps_y[8 * i + p];
        }
    }
    for (int i = 0; i < WIDTH - 1; ++i) {
        for (int c = 0; c < SUMMED; ++c) {
            for (int p = 0; p < UNIT_PIXELS; ++p) {
                under_way[i][c][p] = 0.0;
            }
        }
    }
}

void load_stride(int unit, int y, out uvec4 texels[STRIDE][SRC_TEXELS]) {
    for (int row = 0; row < STRIDE; ++row) {
        int from = border_index(y + row, u_size.y);
        for (int t = 0; t < SRC_TEXELS; ++t) {
            texels[row][t] = inside_texel(unit * SRC_TEXELS + t, from);
        }
    }
}

float value_of(uvec4 texel, int pixel, int c) {
    float value = lane_value(texel, pixel * CHANNELS + c);
#if ALPHA == 1
    if (c < CHANNELS - 1) {
        value = weighted_colour(value, lane_value(texel, pixel * CHANNELS + CHANNELS - 1));
    }
#endif
    return value;
}

// Adds a stride to the sums under way. It takes one pixel and channel after the other, so that their sums stay in
// registers.
void add_stride(uvec4 texels[STRIDE][SRC_TEXELS], out float done[SUMMED][UNIT_PIXELS]) {
    for (int c = 0; c < SUMMED; ++c) {
        for (int p = 0; p < UNIT_PIXELS; ++p) {
            float sums[WIDTH];
            for (int i = 0; i < WIDTH - 1; ++i) {
                sums[i] = under_way[i][c][p];
            }
            sums[WIDTH - 1] = 0.0;
            for (int row = 0; row < STRIDE; ++row) {
                float value = value_of(texels[row][p / SRC_PIXELS], p % SRC_PIXELS, c);
                for (int i = 0; i < WIDTH; ++i) {
                    sums[i] = add_product(sums[i], taps[WIDTH - 1 - i][row], value);
                }
            }
            done[c][p] = sums[0];
            for (int i = 0; i < WIDTH - 1; ++i) {
                under_way[i][c][p] = sums[i + 1];
            }
        }
    }
}

// NaNs stay as the driver makes them: the last pass of a blur puts them right.
uvec4 texel_of_sums(float sums[SUMMED][UNIT_PIXELS], int t) {
    uvec4 texel;
    for (int lane = 0; lane < 4; ++lane) {
        int c = lane % CHANNELS;
        texel[lane] = c < SUMMED ? floatBitsToUint(sums[c][(4 * t + lane) / CHANNELS]) : 0u;
    }
    return texel;
}

void main() {
    int unit = int(gl_GlobalInvocationID.x);
    int first = int(gl_GlobalInvocationID.y) * u_rows;
    int end = min(first + u_rows, u_samples);
    begin();
    int row = first - WIDTH + 1; // the sample that ends with the next stride
    do {
        bool never = look_at_result(unit, row);
        uvec4 texels[STRIDE][SRC_TEXELS];
        load_stride(unit, u_first + (row + WIDTH - 1) * STRIDE, texels);
        float done[SUMMED][UNIT_PIXELS];
        add_stride(texels, done);
        for (int t = 0; t < DST_TEXELS; ++t) {
            imageStore(i_dst, ivec2(unit * DST_TEXELS + t, row >= first && !never ? row : -1), texel_of_sums(done, t));
        }
        ++row;
    } while (row < end);
}
