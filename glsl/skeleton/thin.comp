#version 430 core
// One pass of thinning: removes the pixels of a mask whose eight neighbours are in a table. All at once: every pixel sees the
// mask as it was.
//
// Reads    b_from     the mask (mask/bits.comp)
//          b_table    256 bits: whether a pixel with these neighbours goes; bit 0 of the index is the one above, and so on
//                     clockwise. Not if all are set.
// Writes   b_to       the mask without these pixels
// Updates  b_changed  becomes 1 if there are any
// Group grid          lib/group.glsl, an invocation a word; any order
// Shared bytes        none
// Source              T. Y. Zhang, C. Y. Suen, A Fast Parallel Algorithm for Thinning Digital Patterns, 1984
layout(local_size_x = 256) in;
#include "lib/group.glsl"

layout(std430) readonly buffer b_from { uint from[]; };
layout(std430) readonly buffer b_table { uint table[]; };
layout(std430) writeonly buffer b_to { uint to[]; };
layout(std430) buffer b_changed { uint changed[]; };

uniform uint u_height;
uniform uint u_row_words;

uint word_at(uint y, uint column) { // both wrap to beyond the mask
    return y < u_height && column < u_row_words ? from[y * u_row_words + column] : 0u;
}

void main() {
    uint place = linear_invocation();
    uint y = place / u_row_words;
    uint column = place - y * u_row_words;
    if (y < u_height) {
        uint here = word_at(y, column);
        uint kept = here;
        if (here != 0u) {
            uint rows[3]; // each pixel's own column, and of the same rows the columns to both sides
            uint wests[3];
            uint easts[3];
            for (int i = 0; i < 3; ++i) {
                uint row = y + uint(i) - 1u;
                rows[i] = word_at(row, column);
                wests[i] = rows[i] << 1 | word_at(row, column - 1u) >> 31;
                easts[i] = rows[i] >> 1 | word_at(row, column + 1u) << 31;
            }
            uint inside = rows[0] & easts[0] & easts[1] & easts[2] & rows[2] & wests[2] & wests[1] & wests[0];
            uint candidates = here & ~inside;
            for (int turn = 0; turn < 32 && candidates != 0u; ++turn) {
                uint bit = uint(findLSB(candidates));
                uint around = (rows[0] >> bit & 1u) | (easts[0] >> bit & 1u) << 1 | (easts[1] >> bit & 1u) << 2 |
                              (easts[2] >> bit & 1u) << 3 | (rows[2] >> bit & 1u) << 4 | (wests[2] >> bit & 1u) << 5 |
                              (wests[1] >> bit & 1u) << 6 | (wests[0] >> bit & 1u) << 7;
                bool goes = (table[around / 32u] >> (around & 31u) & 1u) != 0u;
                kept &= goes ? ~(1u << bit) : 0xffffffffu;
                candidates &= candidates - 1u;
            }
        }
        to[place] = kept;
        if (kept != here) {
            changed[0] = 1u;
        }
    }
}
