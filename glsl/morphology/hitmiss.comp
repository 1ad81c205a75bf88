#version 430 core
// Pixels of a mask around which a pattern of set and unset pixels lies: 32 at a time. Beyond the picture nothing is set.
//
// Reads   b_from    a mask as glsl/mask/bits.comp makes it
//         b_cells   for each cell of the pattern that counts: dx, dy, and all ones if the pixel there is to be unset, else 0
// Writes  b_to      the result, of the same layout
// Group grid        lib/group.glsl, an invocation a word; any order
// Shared bytes      none
// Source            J. Serra, Image Analysis and Mathematical Morphology, 1982: the hit-or-miss transform
layout(local_size_x = 64) in;
#include "lib/group.glsl"

layout(std430) readonly buffer b_from { uint from[]; };
layout(std430) readonly buffer b_cells { int cells[]; };
layout(std430) writeonly buffer b_to { uint to[]; };

uniform int u_width;
uniform int u_height;
uniform int u_row_words;
uniform int u_cells;

uint word_at(int column, int y) {
    bool is_inside = column >= 0 && column < u_row_words && y >= 0 && y < u_height;
    return is_inside ? from[y * u_row_words + column] : 0u;
}

void main() {
    int word = int(linear_invocation());
    int y = word / u_row_words;
    int column = word - y * u_row_words;
    if (y < u_height) {
        uint found = 0xffffffffu >> max(column * 32 + 32 - u_width, 0);
        for (int cell = 0; cell < u_cells; ++cell) {
            int dx = cells[3 * cell];
            int row = y + cells[3 * cell + 1];
            int first = column + (dx >> 5); // words: rounded down
            int shift = dx & 31;
            uint low = word_at(first, row) >> shift;
            uint high = shift == 0 ? 0u : word_at(first + 1, row) << (32 - shift);
            found &= (low | high) ^ uint(cells[3 * cell + 2]);
        }
        to[word] = found;
    }
}
