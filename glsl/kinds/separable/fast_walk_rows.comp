#version 430 core
// Fast Gaussian blur, first half along x, for renderers with slow shared memory: makes samples from sums along y.
//
// Each invocation walks right along a row, one stride per turn, and keeps the earlier strides that a sample stands for.
// The samples are the same as in kinds/separable/fast_down.comp, and are added up in the same order.
//
// Reads   i_src      sums along y, of kinds/separable/fast_walk_columns.comp
//         u_taps_x   weights of the pixels of a sample: stride p of step i at 8 * i + p
// Writes  i_dst      samples
// Group grid         x covers the rows, which renderers put into the lanes of a vector. y covers the samples of a row,
//                    u_columns an invocation
// Shared memory      none; invocations are independent, groups come in any order
// Source             P. Burt, Fast filter transforms for image processing, CGIP 16(1), 1981. See kinds/separable/fast_axis.hpp.
//
// @define BORDER    0|1|2|3|4          lib/border.glsl
// @define CHANNELS  1|2|4              as stored
// @define PADDED    0|1                1: the last channel is padding, and is not summed
// @define DST_DEPTH 16|32              of samples: floats, or codes of 16 bits, to whose range u_taps_x then bring them
// @define ALPHA     0|1                lib/pixel.glsl
// @define WIDTH     5|6                strides that a sample stands for
// @define STRIDE    1|2|3|4|5|6|7|8    pixels
// @skip CHANNELS=1 ALPHA=1
// @skip CHANNELS=1 PADDED=1
// @skip CHANNELS=2 PADDED=1
// @skip PADDED=1 ALPHA=1
// @skip DST_DEPTH=16 ALPHA=1
#define SRC_DEPTH 32
#include "lib/pixel.glsl"
#include "lib/border.glsl"
#include "lib/moved.glsl"
#define SUMMED (CHANNELS - PADDED)
#define DST_PIXELS (DST_LANES / CHANNELS)

layout(local_size_x = 8) in;

uniform float u_taps_x[WIDTH * 8];
uniform int u_first;   // the pixel where sample 0 begins
uniform int u_samples; // of a row
uniform int u_columns; // a multiple of the samples in a texel

float taps[WIDTH][STRIDE];
#define TAKEN (STRIDE * SUMMED)
float values[WIDTH * TAKEN]; // stride by stride, the oldest first; of each the first channel, then the second, and so on

void begin() {
    for (int i = 0; i < WIDTH; ++i) {
        for (int p = 0; p < STRIDE; ++p) {
            taps[i][p] = u_taps_x[8 * i + p];
        }
    }
    float nothing[TAKEN];
    for (int i = 0; i < TAKEN; ++i) {
        nothing[i] = 0.0;
    }
    FILL_ROWS(values, WIDTH, TAKEN, nothing)
}

float[CHANNELS] pixel_at(int x, int y) {
    int from = border_index(x, u_size.x);
    uvec4 texel = texel_at(ivec2(uint(from) / uint(SRC_PIXELS), y));
    int first = int(uint(from) % uint(SRC_PIXELS)) * CHANNELS;
#if BORDER == 4
    texel = from < 0 ? u_border_texel : texel;
    first = from < 0 ? 0 : first;
#endif
    float pixel[CHANNELS];
    for (int c = 0; c < CHANNELS; ++c) {
        pixel[c] = uintBitsToFloat(texel[first + c]);
    }
#if BORDER == 4 && ALPHA == 1
    for (int c = 0; c < CHANNELS - 1; ++c) { // sums come weighted
        pixel[c] = from < 0 ? product_of(pixel[c], pixel[CHANNELS - 1]) : pixel[c];
    }
#endif
    return pixel;
}

void load_stride(int x, int y) {
    float pixels[STRIDE][CHANNELS];
    for (int p = 0; p < STRIDE; ++p) {
        pixels[p] = pixel_at(x + p, y);
    }
    float taken[TAKEN];
    for (int i = 0; i < TAKEN; ++i) {
        taken[i] = pixels[i % STRIDE][i / STRIDE];
    }
    MOVE_ROWS(values, WIDTH, TAKEN, taken)
}

// The sum of the strides, put at the sample's place in its texel.
uvec4 sample_at(int place) {
    uvec4 texels[DST_PIXELS];
    for (int d = 0; d < DST_PIXELS; ++d) {
        texels[d] = uvec4(0u);
    }
    float sums[SUMMED];
    for (int c = 0; c < SUMMED; ++c) {
        sums[c] = 0.0;
        for (int p = 0; p < STRIDE; ++p) {
            for (int i = 0; i < WIDTH; ++i) {
                sums[c] = add_product(sums[c], taps[i][p], values[i * TAKEN + c * STRIDE + p]);
            }
        }
        uint code = code_of(sums[c]);
        for (int d = 0; d < DST_PIXELS; ++d) {
            put_lane(texels[d], d * CHANNELS + c, code);
        }
    }
    uvec4 texel = texels[0];
    for (int d = 0; d < DST_PIXELS; ++d) {
        texel = d == place ? texels[d] : texel;
    }
    return texel;
}

void main() {
    int y = int(gl_GlobalInvocationID.x);
    int first = int(gl_GlobalInvocationID.y) * u_columns;
    int end = min(first + u_columns, u_samples);
    begin();
    uvec4 stored = uvec4(0u);
    int x = first - WIDTH + 1; // the sample that ends with the next stride
    do {
        load_stride(u_first + (x + WIDTH - 1) * STRIDE, y);
        int place = x & (DST_PIXELS - 1);
        stored = sample_at(place) | (place == 0 ? uvec4(0u) : stored);
        bool is_full = place == DST_PIXELS - 1 || x == end - 1;
        imageStore(i_dst, ivec2(x >= first && is_full ? x / DST_PIXELS : -1, y), stored);
        ++x;
    } while (x < end);
}
