#version 430 core
// Exact distances, first pass: the first and the last site of each column in each strip of 64 rows.
//
// Reads   b_bits    the mask of sites (mask/bits.comp)
// Writes  b_firsts  a row of u_width words a strip: the site's row in the picture, or NONE
//         b_lasts   likewise
// Group grid        x columns, y strips; any order
// Shared bytes      none
// Source            A. Meijster, J. Roerdink, W. Hesselink, A General Algorithm for Computing Distance Transforms in Linear Time,
//                   2000: columns, then rows
#define STRIP 64u
#define ROW_BITS 32
layout(local_size_x = 64) in;
#include "lib/sites.glsl"

layout(std430) readonly buffer b_bits { uint bits[]; };
layout(std430) writeonly buffer b_firsts { uint firsts[]; };
layout(std430) writeonly buffer b_lasts { uint lasts[]; };

uniform uint u_width;
uniform uint u_height;
uniform uint u_row_words;
uniform uint u_origin; // the picture's row that is row 0 here

void main() {
    uint x = gl_GlobalInvocationID.x;
    uint strip = gl_WorkGroupID.y;
    if (x < u_width) {
        uint first = NONE;
        uint last = NONE;
        for (uint y = strip * STRIP; y < min(u_height, (strip + 1u) * STRIP); ++y) {
            if ((bits[y * u_row_words + x / 32u] >> (x & 31u) & 1u) != 0u) {
                last = u_origin + y;
                first = min(first, last);
            }
        }
        firsts[strip * u_width + x] = first;
        lasts[strip * u_width + x] = last;
    }
}
