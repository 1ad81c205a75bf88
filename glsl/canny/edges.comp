#version 430 core
// Canny's edges, second step: gradients by the Sobel operator, and the pixels where they are largest across the edge.
//
// A group covers WIDE x TALL pixels: it holds their texels and those around them, then the sizes of gradients with a margin of 1. An
// invocation computes 8 pixels of a row side by side, so that a value is read once for the three columns of an operator that need it.
// Of several colours the one with the largest gradient counts, blue before green before red if they are equal. Beyond the image its
// edge pixels are repeated for the operator, but gradients there are 0. Codes of 8 bits are computed in whole numbers, all others in
// floats, step by step.
//
// Reads   i_src     rows of the image, with rows around them; or the result of canny/blur.comp
// Writes  b_weak    a bit for each pixel whose gradient is above u_low, and largest across the edge
//         b_strong  the same with u_high
// Group grid        x WIDE / 32 words of 32 pixels, y TALL rows of the result; groups come in any order
// Shared bytes      up to 26500
// Source            J. Canny, A Computational Approach to Edge Detection, IEEE PAMI 8, 1986; directions and ties are OpenCV's
//
// @define CHANNELS  1|2|4     as stored
// @define SRC_DEPTH 8|16|32   bits of a channel
// @define SQUARED   0|1       the size of a gradient: the sum of its sides, or of their squares
// @define WIDE      32|64|128 pixels of a group
// @define TALL      14|30     its rows
// @define GROUP     128|256   invocations: WIDE / 8 in each of TALL + 2 rows
// @define FETCHED   0|1       lib/texel.glsl
#pragma optionNV(unroll all)
#include "lib/sync.glsl"
#include "lib/texel.glsl"
#include "lib/float_bits.glsl"
#define DST_DEPTH SRC_DEPTH
#include "lib/put_lane.glsl"

#define EACH 8 // pixels of an invocation
#define PARTS (WIDE / EACH)
#define ROWS (TALL + 2)
layout(local_size_x = GROUP) in;

layout(std430) writeonly buffer b_weak { uint weak[]; };
layout(std430) writeonly buffer b_strong { uint strong[]; };

#if SRC_DEPTH == 8
#define VALUE int
#else
#define VALUE float
#endif

uniform VALUE u_low;
uniform VALUE u_high;
uniform int u_above; // rows of i_src before the first of the result
uniform int u_rows;  // of the result
uniform int u_row_words;

#define COLOURS (CHANNELS == 4 ? 3 : 1)
#define PIXEL_BITS (CHANNELS * SRC_DEPTH)

// Texels as they are, with whole ones left and right of the block.
#define MARGIN (SRC_PIXELS > 1 ? SRC_PIXELS : 2) // pixels
#define HELD_TEXELS ((WIDE + 2 * MARGIN) / SRC_PIXELS)
#define HELD_WORDS (HELD_TEXELS * 4)
#define HELD_ROWS (TALL + 4)
shared uint s_held[HELD_WORDS * HELD_ROWS];

// Pixel x of the block at x + 8, and then one place is left out after every 8: a warp's invocations, which are 8 pixels apart, use
// different banks.
#define SIZE_AT(x) ((x) + 8 + ((x) + 8) / 8)
#define SIZE_WIDE (SIZE_AT(WIDE) + 1)
shared VALUE s_sizes[SIZE_WIDE * ROWS];

#define BLOCK_WORDS (WIDE / 32)
shared uint s_weak[TALL * BLOCK_WORDS];
shared uint s_strong[TALL * BLOCK_WORDS];

// The texel whose pixels beyond the image are its edge pixels.
uvec4 clamped_texel(ivec2 at) {
    int last = u_size.x - 1;
    ivec2 from = ivec2(clamp(at.x, 0, last / SRC_PIXELS), clamp(at.y, 0, u_size.y - 1));
    uvec4 texel = texel_at(from);
    int begin = at.x * SRC_PIXELS;
    if (begin >= 0 && begin + SRC_PIXELS <= u_size.x) {
        return texel;
    }
    uvec4 repeated = uvec4(0u);
    for (int i = 0; i < SRC_PIXELS; ++i) {
        int pixel = clamp(begin + i, 0, last) - from.x * SRC_PIXELS;
        for (int c = 0; c < CHANNELS; ++c) {
            put_lane(repeated, i * CHANNELS + c, lane_bits(texel, pixel * CHANNELS + c));
        }
    }
    return repeated;
}

void hold(int i, ivec2 corner) {
    ivec2 place = ivec2(i % HELD_TEXELS, i / HELD_TEXELS);
    ivec2 first = ivec2(corner.x / SRC_PIXELS - MARGIN / SRC_PIXELS, corner.y - 2);
    uvec4 texel = clamped_texel(first + place);
    for (int k = 0; k < 4; ++k) {
        s_held[i * 4 + k] = texel[k];
    }
}

// A colour of the pixel that lies `x` pixels after the first that is held of a row, which begins at a word.
VALUE held(int c, int word, int x) {
    int bit = x * PIXEL_BITS + c * SRC_DEPTH;
    uint bits = s_held[word + bit / 32];
#if SRC_DEPTH == 32
    return float_of_bits(bits);
#else
    return VALUE(bitfieldExtract(bits, bit % 32, SRC_DEPTH));
#endif
}

// Infinities and NaN count as 0.
VALUE size_of(VALUE x, VALUE y) {
#if SRC_DEPTH == 8
    return SQUARED == 1 ? x * x + y * y : abs(x) + abs(y);
#else
    precise float across = x * x;
    precise float down = y * y;
    precise float squares = across + down;
    precise float sides = abs(x) + abs(y);
    float size = SQUARED == 1 ? squares : sides;
    return (floatBitsToUint(size) & 0x7f800000u) == 0x7f800000u ? 0.0 : size;
#endif
}

// Of three pixels of a line, the middle one twice.
VALUE line_of(VALUE before, VALUE middle, VALUE after) {
#if SRC_DEPTH == 8
    return before + 2 * middle + after;
#else
    precise float ends = before + after;
    precise float twice = 2.0 * middle;
    precise float sum = ends + twice;
    return sum;
#endif
}

VALUE less(VALUE a, VALUE b) {
    precise VALUE difference = a - b;
    return difference;
}

VALUE p_near[3 * (EACH + 2)]; // a colour of three rows
VALUE p_x[EACH];              // gradients
VALUE p_y[EACH];
VALUE p_size[EACH];

#define NEAR(row, column) p_near[(row) * (EACH + 2) + (column)]

// Of `count` pixels side by side. The first lies `x` pixels after the first that is held of its row, which begins at a word.
void find_gradients(int count, int word, int x) {
    for (int k = 0; k < count; ++k) {
        p_x[k] = VALUE(0);
        p_y[k] = VALUE(0);
        p_size[k] = VALUE(-1);
    }
    for (int c = COLOURS - 1; c >= 0; --c) {
        for (int row = 0; row < 3; ++row) {
            for (int k = 0; k < count + 2; ++k) {
                NEAR(row, k) = held(c, word + (row - 1) * HELD_WORDS, x + k - 1);
            }
        }
        for (int k = 0; k < count; ++k) {
            VALUE gx = less(line_of(NEAR(0, k + 2), NEAR(1, k + 2), NEAR(2, k + 2)), line_of(NEAR(0, k), NEAR(1, k), NEAR(2, k)));
            VALUE gy = less(line_of(NEAR(2, k), NEAR(2, k + 1), NEAR(2, k + 2)), line_of(NEAR(0, k), NEAR(0, k + 1), NEAR(0, k + 2)));
            VALUE size = size_of(gx, gy);
            bool is_larger = size > p_size[k];
            p_x[k] = is_larger ? gx : p_x[k];
            p_y[k] = is_larger ? gy : p_y[k];
            p_size[k] = is_larger ? size : p_size[k];
        }
    }
}

// Where the edge is steepest: 0 along x, 1 along y, 2 down to the right, 3 down to the left. 13573 / 2^15 is tan(22.5 degrees).
uint direction_of(VALUE x, VALUE y) {
#if SRC_DEPTH == 8
    int across = abs(x) * 13573;
    int down = abs(y) << 15;
    bool is_flat = down < across;
    bool is_steep = down > across + (abs(x) << 16);
#else
    precise float across = abs(x) * (13573.0 / 32768.0);
    precise float twice = 2.0 * abs(x);
    precise float steep = across + twice;
    bool is_flat = abs(y) < across;
    bool is_steep = abs(y) > steep;
#endif
    return is_flat ? 0u : is_steep ? 1u : (x < VALUE(0)) != (y < VALUE(0)) ? 3u : 2u;
}

VALUE size_inside(VALUE size, ivec2 at) {
    return uint(at.x) < uint(u_size.x) && uint(at.y) < uint(u_size.y) ? size : VALUE(0);
}

// The columns left and right of the block.
void find_beside(int i, ivec2 corner) {
    int row = i / 2;
    int x = i % 2 == 0 ? -1 : WIDE;
    find_gradients(1, (row + 1) * HELD_WORDS, MARGIN + x);
    s_sizes[row * SIZE_WIDE + SIZE_AT(x)] = size_inside(p_size[0], corner + ivec2(x, row - 1));
}

// Of two equal neighbours along x or y the first is taken; along a diagonal neither.
bool is_largest(int k, VALUE size, int place) {
    uint direction = direction_of(p_x[k], p_y[k]);
    int left = place - (k == 0 ? 2 : 1);
    int right = place + (k == EACH - 1 ? 2 : 1);
    int before = direction == 0u ? left : (direction == 1u ? place : direction == 2u ? left : right) - SIZE_WIDE;
    int after = direction == 0u ? right : (direction == 1u ? place : direction == 2u ? right : left) + SIZE_WIDE;
    VALUE next = s_sizes[after];
    return size > s_sizes[before] && (direction < 2u ? size >= next : size > next);
}

void main() {
    int id = int(gl_LocalInvocationIndex);
    ivec2 corner = ivec2(gl_WorkGroupID.xy) * ivec2(WIDE, TALL) + ivec2(0, u_above); // in i_src
    for (int i = id; i < TALL * BLOCK_WORDS; i += GROUP) {
        s_weak[i] = 0u;
        s_strong[i] = 0u;
    }
    for (int i = id; i < HELD_TEXELS * HELD_ROWS; i += GROUP) {
        hold(i, corner);
    }
    wg_sync();
    if (id < 2 * ROWS) {
        find_beside(id, corner);
    }
    int row = id / PARTS; // with one above the block
    int part = id % PARTS;
    find_gradients(EACH, (row + 1) * HELD_WORDS + part * (EACH * PIXEL_BITS / 32), MARGIN);
    int place = row * SIZE_WIDE + part * (EACH + 1) + SIZE_AT(0);
    for (int k = 0; k < EACH; ++k) {
        p_size[k] = size_inside(p_size[k], corner + ivec2(part * EACH + k, row - 1));
        s_sizes[place + k] = p_size[k];
    }
    wg_sync();
    uint weak_bits = 0u;
    uint strong_bits = 0u;
    if (row > 0 && row <= TALL) {
        for (int k = 0; k < EACH; ++k) {
            VALUE size = p_size[k];
            bool is_weak = is_largest(k, size, place + k) && size > u_low;
            weak_bits |= is_weak ? 1u << k : 0u;
            strong_bits |= is_weak && size > u_high ? 1u << k : 0u;
        }
    }
    if (weak_bits != 0u) {
        int word = (row - 1) * BLOCK_WORDS + part / 4;
        atomicOr(s_weak[word], weak_bits << part % 4 * 8);
        atomicOr(s_strong[word], strong_bits << part % 4 * 8);
    }
    wg_sync();
    int result_row = int(gl_WorkGroupID.y) * TALL + id / BLOCK_WORDS;
    int column = int(gl_WorkGroupID.x) * BLOCK_WORDS + id % BLOCK_WORDS;
    if (id < TALL * BLOCK_WORDS && result_row < u_rows && column < u_row_words) {
        uint word = uint(result_row) * uint(u_row_words) + uint(column);
        weak[word] = s_weak[id];
        strong[word] = s_strong[id];
    }
}
