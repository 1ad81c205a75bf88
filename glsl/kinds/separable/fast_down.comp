#version 430 core
// Fast Gaussian blur, first half: reduces the image to samples, one for every u_stride pixels along both axes. A sample
// is a weighted mean of WIDTH strides.
//
// A group marches down a strip of the image. Each invocation owns a column of texels. It sums the column along y and
// keeps the sums of WIDTH rows of samples under way in registers. Finished rows go to shared memory, where they are
// summed along x. So every pixel is loaded once, and one sample is stored for stride x * stride y pixels.
//
// Reads   i_src      the image, or the samples that are to be reduced again
//         u_taps_x   weights of the pixels of a sample: stride p of step i at 8 * i + p
//         u_taps_y   of 16 bits for images of 8 bits
// Writes  i_dst      samples
// Group grid         x covers the samples, u_columns a group, y their rows, u_rows a group; groups come in any order
// Shared bytes       18432 at most
// Source             P. Burt, Fast filter transforms for image processing, CGIP 16(1), 1981. See kinds/separable/fast_axis.hpp.
//
// @define BORDER    0|1|2|3|4    lib/border.glsl
// @define CHANNELS  1|2|4        as stored
// @define SRC_DEPTH 8|16|32      bits of a channel
// @define DST_DEPTH 16|32        of samples: floats, or codes of 16 bits, to whose range u_taps_x then bring them
// @define ALPHA     0|1          lib/pixel.glsl
// @define WIDTH     5|6          strides that a sample stands for
// @define STRIDE    1|2|3|4|5|6|7|8  along y
// @define GROUP     64|128|256   invocations: of 256 pixels or more
// @define FETCHED   0|1          lib/texel.glsl
// @skip SRC_DEPTH=8 GROUP=128
// @skip SRC_DEPTH=8 GROUP=256
// @skip SRC_DEPTH=16 GROUP=256
// @skip CHANNELS=1 GROUP=128
// @skip CHANNELS=1 GROUP=256
// @skip CHANNELS=2 GROUP=256
// @skip SRC_DEPTH=16 CHANNELS=2 GROUP=128
// @skip SRC_DEPTH=16 CHANNELS=4 GROUP=64
// @skip SRC_DEPTH=32 CHANNELS=2 GROUP=64
// @skip SRC_DEPTH=32 CHANNELS=4 GROUP=64
// @skip SRC_DEPTH=32 CHANNELS=4 GROUP=128
// @skip CHANNELS=1 ALPHA=1
// @skip DST_DEPTH=16 ALPHA=1
// @skip DST_DEPTH=16 SRC_DEPTH=16
// @skip DST_DEPTH=16 SRC_DEPTH=32
#pragma optionNV(unroll all)
#include "lib/sync.glsl"
#include "lib/pixel.glsl"
#include "lib/border.glsl"
#include "lib/pixel_vector.glsl"
#include "lib/moved.glsl"

layout(local_size_x = GROUP) in;

uniform float u_taps_x[WIDTH * 8];
uniform float u_taps_y[WIDTH * 8];
uniform ivec2 u_stride;  // u_stride.y is STRIDE
uniform ivec2 u_first;   // the pixel where sample 0 begins
uniform ivec2 u_samples; // of the whole result
uniform int u_columns;   // samples of a strip; a multiple of those in a texel
uniform int u_rows;      // a multiple of SLOTS

#define DST_PIXELS (DST_LANES / CHANNELS)
#define SLOTS 2 // rows of samples that are stored together
#define LEAD (WIDTH / SLOTS * SLOTS) // rows under way before the first that is stored, or one more
#define TURN (STRIDE < 5 ? SLOTS * STRIDE : STRIDE) // rows that are loaded together, a turn ahead of their use
#define STRIP_PIXELS (GROUP * SRC_PIXELS)

// A gap after every 128 bytes: lanes that are a stride apart then find their pixels in different banks. No turn writes
// the bytes that the turn before wrote, so one barrier per turn is enough.
#define GAP_AFTER (32 / CHANNELS)
shared PIXEL s_rows[2 * SLOTS][STRIP_PIXELS + STRIP_PIXELS / GAP_AFTER];

int place(int pixel) {
    return pixel + int(uint(pixel) / uint(GAP_AFTER));
}

PIXEL pixel_at(uvec4 texel, int pixel) {
    vec4 values = vec4(0.0);
    for (int c = 0; c < CHANNELS; ++c) {
        values[c] = lane_value(texel, pixel * CHANNELS + c);
    }
#if ALPHA == 1
    for (int c = 0; c < CHANNELS - 1; ++c) {
        precise float weighted = values[c] * values[CHANNELS - 1];
        values[c] = weighted;
    }
#endif
    return pixel_of(values);
}

PIXEL under_way[WIDTH * SRC_PIXELS]; // sums of rows, one row after another

// The oldest row makes room for one that has seen nothing.
void begin_row() {
    PIXEL nothing[SRC_PIXELS];
    for (int p = 0; p < SRC_PIXELS; ++p) {
        nothing[p] = PIXEL(0.0);
    }
    MOVE_ROWS(under_way, WIDTH, SRC_PIXELS, nothing)
}

// Sum i belongs to row i of those under way, which sees this row in its stride WIDTH - 1 - i.
void add_row(uvec4 texel, int phase) {
    PIXEL values[SRC_PIXELS];
    for (int p = 0; p < SRC_PIXELS; ++p) {
        values[p] = pixel_at(texel, p);
    }
    float weights[WIDTH];
    for (int i = 0; i < WIDTH; ++i) {
        weights[i] = u_taps_y[8 * (WIDTH - 1 - i) + phase];
    }
    for (int i = 0; i < WIDTH; ++i) {
        for (int p = 0; p < SRC_PIXELS; ++p) {
            int at = i * SRC_PIXELS + p;
#if SRC_DEPTH == 8 && ALPHA == 0
            under_way[at] = add_whole_products(under_way[at], weights[i], values[p]); // u_taps_y have 16 bits
#else
            under_way[at] = add_products(under_way[at], weights[i], values[p]);
#endif
        }
    }
}

// The finished pixel of a row that is seen at pixel `at` of the strip. Pixels 0 to u_size.x - 1 of the image begin at
// `image`. A border that never changes is made up here, where it costs least.
PIXEL seen_pixel(int row, int at, int image) {
#if BORDER == 0 || BORDER == 4
    int inside = clamp(at, image, image + u_size.x - 1);
    PIXEL value = s_rows[row][place(inside)];
#if BORDER == 4
    value = inside == at ? value : pixel_at(u_border_texel, 0);
#endif
    return value;
#else
    return s_rows[row][place(at)];
#endif
}

// Sums row `slot` along x, and also the row after it if there are two, and stores the results starting at sample
// `first`. That sample begins at pixel `begin` of the strip. The samples of a texel share the pixels they are made of.
// Half of 32 lanes work on each of two rows: see lib/paired_rows.glsl.
void store_samples(int slot, int rows, ivec2 first, int begin, int image) {
    int texels = int(uint(u_columns) / uint(DST_PIXELS));
    for (int item = int(gl_LocalInvocationIndex); item < (texels + 15) / 16 * 32; item += GROUP) {
        int row = item / 16 % 2;
        int texel = item / 32 * 16 + item % 16;
        PIXEL sums[DST_PIXELS];
        for (int d = 0; d < DST_PIXELS; ++d) {
            sums[d] = PIXEL(0.0);
        }
        int steps = row < rows && texel < texels ? u_stride.x : 0;
        for (int p = 0; p < steps; ++p) {
            int at = begin + texel * DST_PIXELS * u_stride.x + p;
            for (int i = 0; i < WIDTH + DST_PIXELS - 1; ++i) {
                PIXEL value = seen_pixel(slot + row, at + i * u_stride.x, image);
                for (int d = max(i - WIDTH + 1, 0); d <= min(i, DST_PIXELS - 1); ++d) {
                    sums[d] = add_products(sums[d], u_taps_x[8 * (i - d) + p], value);
                }
            }
        }
        uvec4 stored = uvec4(0u);
        for (int d = 0; d < DST_PIXELS; ++d) {
            vec4 values = vec4_of(sums[d]);
            for (int c = 0; c < CHANNELS; ++c) {
                put_lane(stored, d * CHANNELS + c, code_of(values[c]));
            }
        }
        ivec2 at = ivec2(int(uint(first.x) / uint(DST_PIXELS)) + texel, first.y + row);
        imageStore(i_dst, ivec2(steps > 0 ? at.x : -1, at.y), stored);
    }
}

// Loads are a turn ahead of their use, so nothing may read their values here, except for borders that are put together
// now.
void load_rows(int texel, int first, out uvec4 texels[TURN]) {
    for (int i = 0; i < TURN; ++i) {
#if BORDER == 0 || BORDER == 4
        texels[i] = texel_at(ivec2(texel, clamp(first + i, 0, u_size.y - 1)));
#else
        texels[i] = bordered_texel(texel, border_index(first + i, u_size.y));
#endif
    }
}

// The texel that load_rows() loaded for row y.
uvec4 row_texel(uvec4 loaded, int y) {
#if BORDER == 4
    return y < 0 || y >= u_size.y ? u_border_texel : loaded;
#else
    return loaded;
#endif
}

// The row of samples that has seen all its rows goes to shared memory, and a new one begins.
void finish_row(int slot, int me) {
    for (int p = 0; p < SRC_PIXELS; ++p) {
        s_rows[slot][place(me * SRC_PIXELS + p)] = under_way[p];
    }
    begin_row();
}

void main() {
    int me = int(gl_LocalInvocationIndex);
    ivec2 first = ivec2(gl_WorkGroupID.xy) * ivec2(u_columns, u_rows);
    int end = min(first.y + u_rows, u_samples.y);
    int from = u_first.x + first.x * u_stride.x;
#if BORDER == 0 || BORDER == 4
    int strip = min(from, u_size.x - 1); // so that its last pixel is there even if everything that is seen lies beyond it
#else
    int strip = from;
#endif
    strip -= strip & (SRC_PIXELS - 1);
    int texel = strip / SRC_PIXELS + me;
    for (int i = 0; i < WIDTH; ++i) {
        begin_row();
    }
    int row = first.y - LEAD; // of the samples: the first of those under way
    int y = u_first.y + (row + WIDTH - 1) * STRIDE;
    int slot = 0;
    uvec4 next[TURN];
    load_rows(texel, y, next);
    for (; row < end; row += SLOTS) {
        for (int done = 0; done < SLOTS;) {
            uvec4 texels[TURN] = next; // copy: Mesa 25 compiles this one right; after use it costs NVIDIA 5 %
            load_rows(texel, y + TURN, next);
            for (int i = 0; i < TURN; i += STRIDE) {
                for (int phase = 0; phase < STRIDE; ++phase) {
                    add_row(row_texel(texels[i + phase], y + i + phase), phase);
                }
                finish_row(slot + done, me);
                ++done;
            }
            y += TURN;
        }
        if (row >= first.y) {
            wg_sync();
            store_samples(slot, min(end - row, SLOTS), ivec2(first.x, row), from - strip, -strip);
            slot = SLOTS - slot;
        }
    }
}
