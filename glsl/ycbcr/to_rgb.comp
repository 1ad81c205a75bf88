#version 430 core
// Turns planes of luma and chroma into RGB, with chroma interpolated linearly between its samples.
//
// An invocation takes a texel of chroma samples, with the samples around it, and all pixels that they belong to.
//
// @define DEPTH 8|16            of every plane and of the result
// @define ACROSS 1|2            pixels for a sample of colour
// @define DOWN 1|2
//
// Reads   i_y i_cb i_cr   one channel each
// Writes  i_dst           RGB with a fourth value that is ignored
// Shared memory   none; invocations are independent, groups come in any order.
// Source: ITU-R BT.601, BT.709 and BT.2020 for the matrices.
#define DST_DEPTH DEPTH
#include "lib/code.glsl"
#include "lib/reproducible.glsl"

layout(local_size_x = 32, local_size_y = 8) in;

layout(rgba32ui) readonly uniform uimage2D i_y;
layout(rgba32ui) readonly uniform uimage2D i_cb;
layout(rgba32ui) readonly uniform uimage2D i_cr;
layout(rgba32ui) writeonly uniform uimage2D i_dst;

uniform ivec2 u_chroma_size;
uniform float u_own_x[2];   // share of its own sample in the first and the second pixel of two; the rest is the neighbour's
uniform float u_own_y[2];
uniform float u_to_rgb[12]; // three rows: factors of y, cb, cr, and a constant

#define WORD (32 / DEPTH)   // samples of a word
#define AROUND (WORD + 2)   // of a word, with one before and one after it

float sample_of(uint word, int i) {
#if DEPTH == 8
    return float(bitfieldExtract(word, i * 8, 8));
#else
    return float(bitfieldExtract(word, i * 16, 16));
#endif
}

// A texel of a row of colour, and the words before and after it.
struct Row {
    uint before;
    uvec4 own;
    uint after;
};

#if ACROSS == 2
#define ROW(PLANE, COLUMN, LINE)                          \
    Row(imageLoad(PLANE, ivec2((COLUMN) - 1, LINE)).w,    \
        imageLoad(PLANE, ivec2(COLUMN, LINE)),            \
        imageLoad(PLANE, ivec2((COLUMN) + 1, LINE)).x)
#else
#define ROW(PLANE, COLUMN, LINE) Row(0u, imageLoad(PLANE, ivec2(COLUMN, LINE)), 0u)
#endif

// The samples of word w, with those around it; `first` is the number of its first one. The first and the last of a row
// are repeated.
void take_word(Row row, int w, int first, out float about[AROUND]) {
#if ACROSS == 2
    about[0] = sample_of(w == 0 ? row.before : row.own[max(w - 1, 0)], WORD - 1);
    about[WORD + 1] = sample_of(w == 3 ? row.after : row.own[min(w + 1, 3)], 0);
#endif
    uint word = row.own[w];
    for (int i = 0; i < WORD; ++i) {
        about[i + 1] = sample_of(word, i);
    }
#if ACROSS == 2
    about[0] = first == 0 ? about[1] : about[0];
    for (int i = 2; i < AROUND; ++i) {
        about[i] = first + i - 1 < u_chroma_size.x ? about[i] : about[i - 1];
    }
#endif
}

// Interpolates between two rows, then between the samples of the result.
void interpolate(float own[AROUND], float other[AROUND], float own_share, out float colour[WORD * ACROSS]) {
#if DOWN == 2
    for (int i = ACROSS == 2 ? 0 : 1; i < AROUND + ACROSS - 2; ++i) {
        own[i] = own[i] * own_share + other[i] * (1.0 - own_share);
    }
#endif
    for (int i = 0; i < WORD; ++i) {
#if ACROSS == 2
        colour[2 * i] = own[i + 1] * u_own_x[0] + own[i] * (1.0 - u_own_x[0]);
        colour[2 * i + 1] = own[i + 1] * u_own_x[1] + own[i + 2] * (1.0 - u_own_x[1]);
#else
        colour[i] = own[i + 1];
#endif
    }
}

float channel(int c, float y, float cb, float cr) {
    float value = add_product(u_to_rgb[c * 4 + 3], u_to_rgb[c * 4], y);
    value = add_product(value, u_to_rgb[c * 4 + 1], cb);
    return add_product(value, u_to_rgb[c * 4 + 2], cr);
}

// A pixel in one word, or of 16 bits in two.
#if DEPTH == 8
void put_pixel(inout uvec4 texel, int p, float y, float cb, float cr) {
    texel[p] = code_of(channel(0, y, cb, cr)) | rounded_bits(channel(1, y, cb, cr)) << 8 |
               rounded_bits(channel(2, y, cb, cr)) << 16 | 0xff000000u;
}
#else
void put_pixel(inout uvec4 texel, int p, float y, float cb, float cr) {
    texel[2 * p] = code_of(channel(0, y, cb, cr)) | rounded_bits(channel(1, y, cb, cr)) << 16;
    texel[2 * p + 1] = code_of(channel(2, y, cb, cr)) | 0xffff0000u;
}
#endif

// Puts the pixels of word w of chroma in one of their rows.
void put_row(ivec2 at, uvec2 luma, float own_share, float cb[2][AROUND], float cr[2][AROUND]) {
    float blue[WORD * ACROSS];
    float red[WORD * ACROSS];
    interpolate(cb[0], cb[1], own_share, blue);
    interpolate(cr[0], cr[1], own_share, red);
    for (int t = 0; t < ACROSS; ++t) {
        uvec4 texel = uvec4(0u);
        for (int i = 0; i < WORD; ++i) {
            put_pixel(texel, i, sample_of(luma[t], i), blue[t * WORD + i], red[t * WORD + i]);
        }
        imageStore(i_dst, ivec2(at.x * ACROSS + t, at.y), texel);
    }
}

// The words of luma that belong to word w of chroma, from its texels.
uvec2 luma_words(uvec4 first, uvec4 second, int w) {
#if ACROSS == 2
    uvec4 half_row = w < 2 ? first : second;
    return (w & 1) == 0 ? half_row.xy : half_row.zw;
#else
    return uvec2(first[w], 0u);
#endif
}

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    Row cb_own = ROW(i_cb, at.x, at.y);
    Row cr_own = ROW(i_cr, at.x, at.y);
    int y = at.y * DOWN;
    uvec4 first = imageLoad(i_y, ivec2(at.x * ACROSS, y));
    uvec4 second = ACROSS == 2 ? imageLoad(i_y, ivec2(at.x * ACROSS + 1, y)) : uvec4(0u);
#if DOWN == 2
    int above = max(at.y - 1, 0);
    int below = min(at.y + 1, u_chroma_size.y - 1);
    Row cb_above = ROW(i_cb, at.x, above);
    Row cr_above = ROW(i_cr, at.x, above);
    Row cb_below = ROW(i_cb, at.x, below);
    Row cr_below = ROW(i_cr, at.x, below);
    uvec4 first_below = imageLoad(i_y, ivec2(at.x * ACROSS, y + 1));
    uvec4 second_below = ACROSS == 2 ? imageLoad(i_y, ivec2(at.x * ACROSS + 1, y + 1)) : uvec4(0u);
#endif
    for (int w = 0; w < 4; ++w) {
        ivec2 word = ivec2(at.x * 4 + w, y);
        int sample0 = word.x * WORD;
        float cb[2][AROUND];
        float cr[2][AROUND];
        take_word(cb_own, w, sample0, cb[0]);
        take_word(cr_own, w, sample0, cr[0]);
#if DOWN == 2
        take_word(cb_above, w, sample0, cb[1]);
        take_word(cr_above, w, sample0, cr[1]);
#endif
        put_row(word, luma_words(first, second, w), u_own_y[0], cb, cr);
#if DOWN == 2
        take_word(cb_below, w, sample0, cb[1]);
        take_word(cr_below, w, sample0, cr[1]);
        put_row(word + ivec2(0, 1), luma_words(first_below, second_below, w), u_own_y[1], cb, cr);
#endif
    }
}
