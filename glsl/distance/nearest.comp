#version 430 core
// Exact distances, third pass: of each pixel the nearest site in its column; of two as near the upper one.
//
// Reads   b_bits    the mask of sites
//         b_lasts   the nearest site above each strip of 64 rows (distance/carry.comp)
//         b_firsts  the nearest site below it
// Writes  b_rows    lib/sites.glsl
// Group grid        x pairs of columns, y strips; any order
// Shared bytes      none
// Source            see distance/ends.comp
//
// @define ROW_BITS 16|32   lib/sites.glsl
#define STRIP 64u
layout(local_size_x = 64) in;
#include "lib/sites.glsl"

layout(std430) readonly buffer b_bits { uint bits[]; };
layout(std430) readonly buffer b_lasts { uint lasts[]; };
layout(std430) readonly buffer b_firsts { uint firsts[]; };
layout(std430) writeonly buffer b_rows { uint rows[]; };

uniform uint u_width;
uniform uint u_height;
uniform uint u_row_words;
uniform uint u_origin;

uint nearer(uint y, uint above, uint below) {
    bool is_above = above != NONE && (below == NONE || y - above <= below - y);
    return is_above ? above : below;
}

// The first site of a column from row `row` of the strip on; its rows are the bits of `column`.
uint next_site(uvec2 column, uint row, uint origin, uint below) {
    uint low = row < 32u ? column.x >> row << row : 0u;
    uint high = row < 32u ? column.y : row < 64u ? column.y >> (row - 32u) << (row - 32u) : 0u;
    uint in_high = high != 0u ? origin + 32u + uint(findLSB(high)) : below;
    return low != 0u ? origin + uint(findLSB(low)) : in_high;
}

void main() {
    uint pair = gl_GlobalInvocationID.x;
    uint strip = gl_WorkGroupID.y;
    uint x = pair * 2u;
    if (x < u_width) {
        uint first_row = strip * STRIP;
        uint count = min(STRIP, u_height - first_row);
        uvec2 left = uvec2(0u); // the rows of a column as bits
        uvec2 right = uvec2(0u);
        for (uint row = 0u; row < count; ++row) {
            uint two = bits[(first_row + row) * u_row_words + x / 32u] >> (x & 31u);
            uint bit = row & 31u;
            uvec2 half_of = row < 32u ? uvec2(1u, 0u) : uvec2(0u, 1u);
            left |= half_of * ((two & 1u) << bit);
            right |= half_of * ((two >> 1 & 1u) << bit);
        }
        uint origin = u_origin + first_row;
        uint second = min(x + 1u, u_width - 1u);
        uvec2 below = uvec2(firsts[strip * u_width + x], firsts[strip * u_width + second]);
        uvec2 above = uvec2(lasts[strip * u_width + x], lasts[strip * u_width + second]);
        uvec2 next = uvec2(next_site(left, 0u, origin, below.x), next_site(right, 0u, origin, below.y));
        for (uint row = 0u; row < count; ++row) {
            uint y = origin + row;
            if (y == next.x) {
                above.x = y;
                next.x = next_site(left, row + 1u, origin, below.x);
            }
            if (y == next.y) {
                above.y = y;
                next.y = next_site(right, row + 1u, origin, below.y);
            }
            uvec2 found = uvec2(nearer(y, above.x, next.x), nearer(y, above.y, next.y));
            uint place = (first_row + row) * row_words_of(u_width);
#if ROW_BITS == 16
            rows[place + pair] = (found.x & 0xffffu) | found.y << 16;
#else
            rows[place + x] = found.x;
            rows[place + x + 1u] = found.y;
#endif
        }
    }
}
