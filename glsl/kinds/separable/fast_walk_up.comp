#version 430 core
// Fast Gaussian blur, second half, for renderers with slow shared memory: makes every pixel from the samples around it.
//
// Each invocation walks down a column of units. It spreads a row of samples along x over its pixels. From the WIDTH
// rows it then has, it makes a stride of the result. The sums are the same as in kinds/separable/fast_up.comp, and are added up in the
// same order.
//
// Reads   i_src      samples
//         i_own      the image, for SHARPEN, and whose alpha is kept with ALPHA 2
//         u_taps_x   weights of the samples around a pixel: WIDTH for each of its places in the stride
//         u_taps_y
// Writes  i_dst      the result
// Group grid         x covers the units, y the rows, u_rows an invocation, a multiple of the stride
// Shared memory      none; invocations are independent, groups come in any order
// Source             P. Burt, Fast filter transforms for image processing, CGIP 16(1), 1981. See kinds/separable/fast_axis.hpp.
//
// @define CHANNELS  1|2|4        as stored
// @define PADDED    0|1          1: the last channel is padding, and is not summed
// @define SRC_DEPTH 16|32        of samples
// @define DST_DEPTH 8|16|32      bits of a channel
// @define ALPHA     0|1|2        lib/pixel.glsl
// @define WIDTH     5|6          samples along each axis
// @define SHARPEN   0|1          whether it ends with lib/unsharp.glsl
// @define SPAN      0|1|3        how many more samples 4 pixels see than each of them does
// @skip CHANNELS=1 ALPHA=1
// @skip CHANNELS=1 ALPHA=2
// @skip CHANNELS=1 PADDED=1
// @skip CHANNELS=2 PADDED=1
// @skip PADDED=1 ALPHA=1
// @skip PADDED=1 ALPHA=2
// @skip SRC_DEPTH=16 ALPHA=1
// @skip SRC_DEPTH=16 SHARPEN=1
// @skip SRC_DEPTH=16 DST_DEPTH=16
// @skip SRC_DEPTH=16 DST_DEPTH=32
#define UNIT_LANES 16
#define LOOKS_AT_DST
#include "lib/pixel.glsl"
#include "lib/look.glsl"
#include "lib/means.glsl"
#include "lib/moved.glsl"
#define SUMMED (CHANNELS - PADDED)
#define BLOCK 4 // pixels that are spread at once
#define BLOCKS (UNIT_PIXELS / BLOCK)
#define SEEN (WIDTH + SPAN)
#define LOADED ((SEEN + 2 * SRC_PIXELS - 2) / SRC_PIXELS) // texels that hold them, wherever the first lies in its own
#define SAMPLES (LOADED * SRC_PIXELS)

layout(local_size_x = 16) in;

uniform float u_taps_x[8 * WIDTH];
uniform float u_taps_y[8 * WIDTH];
uniform ivec2 u_stride;
uniform ivec2 u_first; // the first sample that pixel 0 depends on
uniform int u_rows;

float weights[BLOCKS][SEEN][BLOCK];
#define ROW (SUMMED * UNIT_PIXELS)
float rows[WIDTH * ROW]; // one after another: in each, the first channel of all pixels, then the second, and so on

int stride_of(int pixel) {
    return int(uint(pixel) / uint(u_stride.x));
}

// Finds the weights for a run of pixels that begins at `first`, zero where they do not see a sample. No rows are held
// yet.
void begin(int first) {
    float nothing[ROW];
    for (int i = 0; i < ROW; ++i) {
        nothing[i] = 0.0;
    }
    FILL_ROWS(rows, WIDTH, ROW, nothing)
    for (int b = 0; b < BLOCKS; ++b) {
        int pixel = first + b * BLOCK;
        int before = stride_of(pixel);
        for (int p = 0; p < BLOCK; ++p) {
            int strides = stride_of(pixel + p);
            int place = pixel + p - strides * u_stride.x;
            for (int i = 0; i < SEEN; ++i) {
                int tap = i - (strides - before);
                weights[b][i][p] = tap >= 0 && tap < WIDTH ? u_taps_x[place * WIDTH + tap] : 0.0;
            }
        }
    }
}

// One step of a move by several places: the bits of that number say which steps are taken.
void move_back(bool is_moved, int places, inout float values[SAMPLES]) {
    for (int i = 0; i < SAMPLES; ++i) {
        values[i] = is_moved && i + places < SAMPLES ? values[i + places] : values[i];
    }
}

// Makes the pixels of a unit from a row of samples. They become the last of the rows, and the others move back.
void spread_row(int first, int y) {
    float spread[ROW];
    for (int b = 0; b < BLOCKS; ++b) {
        int sample_x = u_first.x + stride_of(first + b * BLOCK);
        uint skipped = uint(sample_x) % uint(SRC_PIXELS);
        uvec4 texels[LOADED];
        for (int t = 0; t < LOADED; ++t) {
            texels[t] = texel_at(ivec2(int(uint(sample_x) / uint(SRC_PIXELS)) + t, y));
        }
        float sums[SUMMED][BLOCK];
        for (int c = 0; c < SUMMED; ++c) {
            float values[SAMPLES];
            for (int i = 0; i < SAMPLES; ++i) {
                values[i] = lane_value(texels[i / SRC_PIXELS], i % SRC_PIXELS * CHANNELS + c);
            }
#if SRC_PIXELS >= 8
            move_back((skipped & 4u) != 0u, 4, values);
#endif
#if SRC_PIXELS >= 4
            move_back((skipped & 2u) != 0u, 2, values);
#endif
#if SRC_PIXELS >= 2
            move_back((skipped & 1u) != 0u, 1, values);
#endif
            for (int p = 0; p < BLOCK; ++p) {
                sums[c][p] = product_of(weights[b][0][p], values[0]);
                for (int i = 1; i < SEEN; ++i) {
                    sums[c][p] = add_product(sums[c][p], weights[b][i][p], values[i]);
                }
                spread[c * UNIT_PIXELS + b * BLOCK + p] = sums[c][p];
            }
        }
    }
    MOVE_ROWS(rows, WIDTH, ROW, spread)
}

void store_row(int unit, int y, int phase) {
    float taps[WIDTH];
    for (int i = 0; i < WIDTH; ++i) {
        taps[i] = u_taps_y[phase * WIDTH + i];
    }
    float sums[UNIT_LANES];
    for (int lane = 0; lane < UNIT_LANES; ++lane) {
        int at = min(lane % CHANNELS, SUMMED - 1) * UNIT_PIXELS + lane / CHANNELS;
        sums[lane] = product_of(taps[0], rows[at]);
        for (int i = 1; i < WIDTH && lane % CHANNELS < SUMMED; ++i) {
            sums[lane] = add_product(sums[lane], taps[i], rows[i * ROW + at]);
        }
    }
    bool never = look_at_result(unit, y);
    finish_means(unit, y, sums);
    for (int t = 0; t < DST_TEXELS; ++t) {
        imageStore(i_dst, ivec2(unit * DST_TEXELS + t, never ? -1 : y), texel_of_means(sums, t));
    }
}

void main() {
    int unit = int(gl_GlobalInvocationID.x);
    int first = unit * UNIT_PIXELS;
    begin(first);
    int y = int(gl_GlobalInvocationID.y) * u_rows;
    int end = min(y + u_rows, u_size.y);
    int row = u_first.y + int(uint(y) / uint(u_stride.y));
    int ahead = WIDTH - 1; // rows of samples that are still missing
    // Loops that end where others begin: renderers run a loop once more for no invocation if it checks before it
    // begins.
    do {
        spread_row(first, row++);
        int phase = 0;
        do {
            store_row(unit, ahead > 0 ? -1 : y + phase, phase);
            ++phase;
        } while (phase < u_stride.y && ahead == 0);
        y += ahead > 0 ? 0 : u_stride.y;
        ahead = max(ahead - 1, 0);
    } while (y < end);
}
