// Distances of pixels, and what the two passes over rows share (distance/near.comp, distance/far.comp). Squares stand for
// Euclidean distances; with the other metrics a "square" is the distance itself.
//
// Needs lib/sites.glsl and
//   WIDE   0: squares are uints; 1: 64 bits, uvec2(low, high), which METRIC 0 alone may need
//   METRIC 0: Euclidean, 1: taxicab, 2: chessboard
//   SITES  1: b_sites gets the nearest site of each pixel, as uvec2(column, row)
//   ROOTS  1: i_dst gets the distances; 0: b_squares gets the squares
layout(std430) readonly buffer b_rows { uint rows[]; };

#include "lib/distance_bits.glsl"
#if ROOTS == 1
layout(rgba32ui) writeonly uniform uimage2D i_dst;
#else
layout(std430) writeonly buffer b_squares { SQUARE squares[]; };
#endif
#if SITES == 1
layout(std430) writeonly buffer b_sites { uvec2 sites[]; };
#endif

uniform uint u_width;
uniform uint u_origin;      // the picture's row that is row 0 here
uniform uint u_first_row;   // the first row of this dispatch
uniform uint u_first_pixel; // what the ranges of b_squares and b_sites begin with, row by row
uniform uvec4 u_most;       // low and high word: farther sites count as none

#define NO_SQUARE SQUARE(NONE)

#if WIDE == 1
bool is_less(SQUARE a, SQUARE b) {
    return a.y < b.y || (a.y == b.y && a.x < b.x);
}

SQUARE square_of(uint across, uint down) {
    uvec2 a;
    uvec2 b;
    umulExtended(across, across, a.y, a.x);
    umulExtended(down, down, b.y, b.x);
    uint carry;
    uint low = uaddCarry(a.x, b.x, carry);
    return uvec2(low, a.y + b.y + carry);
}

SQUARE most_square() {
    return u_most.xy;
}
#else
bool is_less(SQUARE a, SQUARE b) {
    return a < b;
}

SQUARE square_of(uint across, uint down) {
#if METRIC == 0
    return across * across + down * down;
#elif METRIC == 1
    return across + down;
#else
    return max(across, down);
#endif
}

SQUARE most_square() {
    return u_most.y != 0u ? NONE : u_most.x;
}
#endif

uint site_row(uint y, uint x) {
#if ROW_BITS == 16
    uint pair = rows[y * row_words_of(u_width) + x / 2u];
    uint row = (x & 1u) != 0u ? pair >> 16 : pair & 0xffffu;
    return row == 0xffffu ? NONE : row;
#else
    return rows[y * row_words_of(u_width) + x];
#endif
}

uint difference(uint a, uint b) {
    return a > b ? a - b : b - a;
}

// Whether a site is no farther than sites may be.
bool is_near_enough(SQUARE square) {
    return !is_less(most_square(), square) && square != NO_SQUARE;
}

#if ROOTS == 1
uint root_bits(SQUARE square) {
    return distance_bits(is_near_enough(square) ? square : NO_SQUARE);
}
#else
// Of a pixel of this dispatch; `site` is its column and row, which do not matter where there is none.
void store_square(uint y, uint x, SQUARE square, uvec2 site) {
    uint place = y * u_width + x - u_first_pixel;
    bool is_near = is_near_enough(square);
    squares[place] = is_near ? square : NO_SQUARE;
#if SITES == 1
    sites[place] = is_near ? site : uvec2(NONE);
#endif
}
#endif
