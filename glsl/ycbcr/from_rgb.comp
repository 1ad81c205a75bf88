#version 430 core
// Turns RGB or grey into planes of luma and chroma. If these have fewer samples than there are pixels, each sample is a
// weighted sum of the pixels around it.
//
// An invocation makes a texel of samples of each chroma plane, and the luma of all pixels that they belong to.
//
// @define SRC_DEPTH 8|16|32     of the picture
// @define DST_DEPTH 8|16        of the planes
// @define CHANNELS 1|2|4        of the picture, as stored; of two the first counts, of four the first three
// @define ACROSS 1|2            pixels for a sample of colour
// @define ROWS 1|4|5            of pixels that a row of colour depends on: 1 its own, 4 those about a place between two, 5 about one
//
// Reads   i_src             the picture
// Writes  i_y i_cb i_cr     the planes
// Shared memory   none; invocations are independent, groups come in any order.
#include "lib/texel.glsl"
#include "lib/code.glsl"
#include "lib/reproducible.glsl"

layout(local_size_x = 16, local_size_y = 8) in;

layout(rgba32ui) writeonly uniform uimage2D i_y;
layout(rgba32ui) writeonly uniform uimage2D i_cb;
layout(rgba32ui) writeonly uniform uimage2D i_cr;

uniform float u_weights[10]; // of the pixels from two before a sample of colour to two after it, across and then down
uniform float u_of_rgb[12];  // three rows: factors of the codes of r, g, b, and a constant
uniform float u_most;        // the largest code

#define WORD (32 / DST_DEPTH)                 // samples of a word
#define PIXELS (WORD * ACROSS)                // that belong to a word of colour
#define BEFORE (ACROSS == 2 ? 2 : 0)          // further pixels that it depends on
#define AFTER (ACROSS == 2 ? 1 : 0)
#define COLUMNS (BEFORE + PIXELS + AFTER)
#define DOWN (ROWS == 1 ? 1 : 2)

vec3 rgb_in(uvec4 texel, int pixel) {
    vec3 rgb;
    for (int c = 0; c < 3; ++c) {
        uint bits = lane_bits(texel, pixel * CHANNELS + (CHANNELS == 4 ? c : 0));
#if SRC_DEPTH == 32
        rgb[c] = float_of_bits(bits);
#else
        rgb[c] = float(bits);
#endif
    }
    return rgb;
}

// The pixels of a row, beginning at `first` - BEFORE.
void load_row(int first, int y, out vec3 row[COLUMNS]) {
    y = clamp(y, 0, u_size.y - 1);
#if SRC_PIXELS <= PIXELS && (ACROSS == 1 || SRC_PIXELS <= 4)
    const int before = (BEFORE + SRC_PIXELS - 1) / SRC_PIXELS;
    const int after = (AFTER + SRC_PIXELS - 1) / SRC_PIXELS;
    for (int t = -before; t < PIXELS / SRC_PIXELS + after; ++t) {
        uvec4 texel = imageLoad(i_src, ivec2(first / SRC_PIXELS + t, y));
        for (int p = 0; p < SRC_PIXELS; ++p) {
            int column = t * SRC_PIXELS + p + BEFORE;
            if (column >= 0 && column < COLUMNS) {
                row[column] = rgb_in(texel, p);
            }
        }
    }
#else
    for (int i = 0; i < COLUMNS; ++i) {
        int x = clamp(first + i - BEFORE, 0, u_size.x - 1);
        row[i] = rgb_in(imageLoad(i_src, ivec2(x / SRC_PIXELS, y)), x % SRC_PIXELS);
    }
#endif
}

// Beyond the picture, its first and last pixels are repeated.
void extend(int first, inout vec3 row[COLUMNS]) {
    for (int i = BEFORE; i > 0; --i) {
        row[i - 1] = first + i - 1 - BEFORE < 0 ? row[i] : row[i - 1];
    }
    for (int i = 1; i < COLUMNS; ++i) {
        row[i] = first + i - BEFORE >= u_size.x ? row[i - 1] : row[i];
    }
}

uint code(int plane, vec3 rgb) {
    float value = add_product(0.0, u_of_rgb[plane * 4], rgb.r);
    value = add_product(value, u_of_rgb[plane * 4 + 1], rgb.g);
    value = add_product(value, u_of_rgb[plane * 4 + 2], rgb.b);
    return code_of(min(value + u_of_rgb[plane * 4 + 3], u_most));
}

vec3 add_weighted(vec3 sum, float weight, vec3 rgb) {
    return vec3(add_product(sum.r, weight, rgb.r), add_product(sum.g, weight, rgb.g), add_product(sum.b, weight, rgb.b));
}

// Loads a row, and adds it to the sums of columns.
void add_row(int first, int y, float weight, inout vec3 sums[COLUMNS], out vec3 row[COLUMNS]) {
    load_row(first, y, row);
    for (int i = 0; i < COLUMNS; ++i) {
        sums[i] = add_weighted(sums[i], weight, row[i]);
    }
}

// Puts the luma of the pixels of a word of chroma into a texel, beginning with word v.
void put_luma(vec3 row[COLUMNS], int v, inout uvec4 texel) {
    for (int a = 0; a < ACROSS; ++a) {
        uint word = 0u;
        for (int i = 0; i < WORD; ++i) {
            word |= code(0, row[BEFORE + a * WORD + i]) << (i * DST_DEPTH);
        }
        texel[v + a] = word;
    }
}

// The samples of a word of chroma, from the sums of columns.
uvec2 colour_words(vec3 sums[COLUMNS]) {
    uvec2 words = uvec2(0u);
    for (int i = 0; i < WORD; ++i) {
#if ACROSS == 2
        vec3 rgb = vec3(0.0);
        for (int x = 0; x < 5; ++x) {
            rgb = add_weighted(rgb, u_weights[x], sums[2 * i + x]);
        }
#else
        vec3 rgb = sums[i];
#endif
        words |= uvec2(code(1, rgb), code(2, rgb)) << (i * DST_DEPTH);
    }
    return words;
}

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    int y = at.y * DOWN;
    uvec4 cb = uvec4(0u);
    uvec4 cr = uvec4(0u);
    for (int h = 0; h < ACROSS; ++h) { // texels of luma
        int column = at.x * ACROSS + h;
        uvec4 luma = uvec4(0u);
        uvec4 luma_below = uvec4(0u);
        for (int v = 0; v < 4; v += ACROSS) { // words of luma that belong to one of colour
            int w = (h * 4 + v) / ACROSS;
            int first = (at.x * 4 + w) * PIXELS;
            vec3 row[COLUMNS];
            vec3 sums[COLUMNS];
            for (int i = 0; i < COLUMNS; ++i) {
                sums[i] = vec3(0.0);
            }
#if ROWS == 5
            add_row(first, y - 2, u_weights[5], sums, row);
#endif
#if ROWS >= 4
            add_row(first, y - 1, u_weights[6], sums, row);
#endif
            add_row(first, y, u_weights[7], sums, row);
            put_luma(row, v, luma);
#if ROWS >= 4
            add_row(first, y + 1, u_weights[8], sums, row);
            put_luma(row, v, luma_below);
            add_row(first, y + 2, u_weights[9], sums, row);
#endif
            extend(first, sums);
            uvec2 words = colour_words(sums);
            cb[w] = words.x;
            cr[w] = words.y;
        }
        imageStore(i_y, ivec2(column, y), luma);
#if ROWS >= 4
        imageStore(i_y, ivec2(column, y + 1), luma_below);
#endif
    }
    imageStore(i_cb, at, cb);
    imageStore(i_cr, at, cr);
}
