// The guided filter of 8 bits as sums of whole numbers over windows, twice, so that their order does not matter.
//
//   STAGE 0   sums of values and of their squares make the line of each colour, from its values to its smooth values
//   STAGE 1   sums of lines make the result: a mean line at the pixel's own value
//
// A line is a slope of 20 bits, in units of 2^-20, and a height of 22 bits, in units of 2^-14 codes. The height is such
// that the line meets the mean of its window: what the slope loses to rounding matters only away from there. A texel of
// i_lines has the lines of three colours. Its first words are the heights, each above the low half of its slope. The last
// word has the high halves of the slopes. With one colour it has the heights and slopes of two pixels, a word each.
//
// Needs lib/texel.glsl, lib/reproducible.glsl, lib/code.glsl, and u_radius of at most 127.
#define COLOURS (CHANNELS == 4 ? 3 : 1)
#define LINE_PIXELS (CHANNELS == 4 ? 1 : 2) // of a texel of i_lines

uniform int u_radius;
uniform int u_pixels; // of a window
#if STAGE == 0
uniform float u_eps;       // in squared code units, times the square of u_pixels
uniform float u_per_unit;  // 1 / the units of a sum of heights that are a unit of their mean
layout(rgba32ui) writeonly uniform uimage2D i_lines;
#else
uniform int u_shift;   // bits that columns of sums lose, so that a window's sum has 32 bits
uniform float u_scale; // from the units of a sum to codes
#if FETCHED == 1
uniform usampler2D i_lines;
#define line_texel(at) texelFetch(i_lines, at, 0)
#else
layout(rgba32ui) readonly uniform uimage2D i_lines;
#define line_texel(at) imageLoad(i_lines, at)
#endif
layout(rgba32ui) writeonly uniform uimage2D i_dst;
#endif

#define ONE 1048576u // a slope of 1

// The texel that has the pixel of column x in row y, both inside the image.
uvec4 texel_with(int x, int y) {
#if STAGE == 0
    return texel_at(ivec2(x / SRC_PIXELS, y));
#else
    return line_texel(ivec2(x / LINE_PIXELS, y));
#endif
}

// The numbers of the pixel of column x, which its texel adds to the sums.
uvec2[COLOURS] numbers_of(uvec4 texel, int x) {
    uvec2 numbers[COLOURS];
    for (int c = 0; c < COLOURS; ++c) {
#if STAGE == 0
        uint value = lane_bits(texel, x % SRC_PIXELS * CHANNELS + c);
        numbers[c] = uvec2(value, value * value);
#elif CHANNELS < 4
        numbers[c] = x % 2 == 0 ? texel.xy : texel.zw;
#else
        numbers[c] = uvec2(texel[c] >> 10, (texel[c] & 1023u) + ((texel.w >> (10 * c) & 1023u) << 10));
#endif
    }
    return numbers;
}

#if STAGE == 0
// A column of sums as it is added to others.
uvec2 column_of(uvec2 sums) {
    return sums;
}

// n x the sum of squares - the square of the sum, for n pixels: n^2 x the variance.
float variance_of(uvec2 sums) {
    uint high;
    uint low;
    umulExtended(sums.y, uint(u_pixels), high, low);
    uint square_high;
    uint square_low;
    umulExtended(sums.x, sums.x, square_high, square_low);
    uint borrow;
    low = usubBorrow(low, square_low, borrow);
    high -= square_high + borrow;
    return float_of(high << 16 | low >> 16, low & 65535u); // of 46 bits
}

// The largest number whose half before it, times the divisor, does not exceed n^2 x the variance. A quotient is off by
// less than a half, so it is this number or next to it. 1 itself would take another bit: the height makes up for it.
uint slope_of(uvec2 sums) {
    float variance = variance_of(sums);
    precise float below = variance + u_eps;
    float most = variance * float(ONE);
    float guess = floor(most / below + 0.5);
    uint slope = uint(guess) + uint(product_of(guess + 0.5, below) <= most) - uint(product_of(guess - 0.5, below) > most);
    return min(slope, ONE - 1u);
}

// Mean x (1 - slope), rounded. Floats are off by 1 at most, and the low words tell by how much.
uint height_of(uint sum, uint slope) {
    uint rest = ONE - slope;
    int unit = 64 * u_pixels; // 2^20 over 2^14
    uint guess = uint(float(sum) * float(rest) * u_per_unit + 0.5);
    int twice = 2 * int(sum * rest - guess * uint(unit));
    return guess + uint(twice >= unit) - uint(twice < -unit);
}

// The lines of a pixel: with one colour the first half of a texel.
uvec4 lines_of(uvec2 sums[COLOURS]) {
    uvec4 texel = uvec4(0u);
    for (int c = 0; c < COLOURS; ++c) {
        uint slope = slope_of(sums[c]);
        uint height = height_of(sums[c].x, slope);
#if CHANNELS == 4
        texel[c] = height << 10 | (slope & 1023u);
        texel.w |= slope >> 10 << (10 * c);
#else
        texel.xy = uvec2(height, slope);
#endif
    }
    return texel;
}
#else
uvec2 column_of(uvec2 sums) {
    return (sums + (1u << u_shift >> 1)) >> u_shift;
}

uint on_line(uvec2 sums, uint value) {
    uint high = (sums.x >> 16) * 64u + (sums.y >> 16) * value; // 2^20 over 2^14
    uint low = (sums.x & 65535u) * 64u + (sums.y & 65535u) * value;
    return code_of(product_of(float_of(high, low), u_scale));
}

// The channels of the pixel of column x of its texel of i_src, side by side. Alpha is kept.
uint pixel_of(uvec2 sums[COLOURS], uvec4 texel, int x) {
    uint pixel = 0u;
    for (int c = 0; c < CHANNELS; ++c) {
        uint bits = lane_bits(texel, x % SRC_PIXELS * CHANNELS + c);
        pixel |= (c < COLOURS ? on_line(sums[min(c, COLOURS - 1)], bits) : bits) << (8 * c);
    }
    return pixel;
}
#endif
