#version 430 core
#pragma optionNV(unroll all)
// The value of a given rank among the pixels under a box, for each channel of 8 bits by itself: 32 pixels at a time,
// bit by bit.
//
// A group brings its pixels to shared memory as planes: word i of plane b holds bit b of 32 pixels side by side. An
// invocation makes 32 results side by side in each of SPAN rows. It tries a 1 for each bit, the highest first. All
// values under the box are compared with the number that is tried. Those that reach it are counted by full adders,
// whose bits belong to 32 boxes. If there are enough of them, the bit is 1.
//
// Reads   i_src    the image
// Writes  i_dst    the result, of the same format
// Group grid       x covers the pixels, 32 * WORDS a group, y the rows from u_first_row to u_end_row - 1, ROWS a group
// Shared bytes     1472 * (16 + CHANNELS), at most 29440; groups come in any order.
// Source           median by majority, bit by bit, as in E. Ataman, V. K. Aatre, K. M. Wong, A fast method for real-time median
//                  filtering, IEEE Trans. ASSP 28(4), 1980; carry-save counts as in H. S. Warren, Hacker's Delight, 5-1.
//
// @define BORDER   0|1|2|3|4   lib/border.glsl
// @define CHANNELS 1|2|4       as stored
// @define KEEP     0|1         1: the last channel is kept as it is
// @define FETCHED  0|1         lib/texel.glsl
// @define REST     1|3         2 * u_radius.x + 1 modulo 4
// @skip CHANNELS=1 KEEP=1
#define SRC_DEPTH 8
#define DST_DEPTH 8
#include "lib/texel.glsl"
#include "lib/put_lane.glsl"
#include "lib/border.glsl"
#include "lib/bit_planes.glsl"
#include "lib/kept.glsl"
#include "lib/sync.glsl"

#define UNITS 16 // of a row: 32 pixels of a channel each
#define WORDS (UNITS / CHANNELS)
#define SPAN 4
#define ROWS 32   // of the result that a group makes
#define GROUP 128 // UNITS * ROWS / SPAN
layout(local_size_x = GROUP) in;

layout(rgba32ui) writeonly uniform uimage2D i_dst;

uniform ivec2 u_radius; // at most MOST
uniform int u_enough;   // how many values are not less than the one that is wanted, at least
uniform int u_halfway;  // 4: a uniform, as an unrolled loop would compile for seconds
uniform int u_first_row;
uniform int u_end_row;

#define MOST 7                            // radius along both axes
#define MARGIN 16                         // pixels left of those that a group makes, and right: whole texels
#define STAGED (WORDS + 1)                // words of a row
#define PLANE_WORDS ((ROWS + 2 * MOST) * STAGED * CHANNELS)
#define COUNT_BITS 8                      // of a box
#define ROW_BITS 4                        // of a row of it

shared uint s_planes[8 * PLANE_WORDS]; // at last the results

int me = int(gl_LocalInvocationIndex);
ivec2 corner = ivec2(int(gl_WorkGroupID.x) * 32 * WORDS, u_first_row + int(gl_WorkGroupID.y) * ROWS);

void share_planes() {
    int count = (ROWS + 2 * u_radius.y) * STAGED * CHANNELS;
    for (int unit = me; unit < count; unit += GROUP) {
        int row = unit / (STAGED * CHANNELS);
        int word = unit % (STAGED * CHANNELS) / CHANNELS;
        uint planes[8];
        load_pixels(corner.x + 32 * word - MARGIN, corner.y + row - u_radius.y, unit % CHANNELS, planes);
        transpose(planes);
        for (int b = 0; b < 8; ++b) {
            s_planes[b * PLANE_WORDS + unit] = planes[b];
        }
    }
}

// Adds a carried bit, beginning at place `first`.
void add_carried(inout uint counts[ROW_BITS], const int first, uint carried) {
    for (int i = first; i < ROW_BITS; ++i) {
        uint next = counts[i] & carried;
        counts[i] ^= carried;
        carried = next;
    }
}

uint low[8];                 // for each plane 32 pixels: the first element of each box
uint high[8];                // and the pixels after them
uint not_tried[SPAN][8];     // the number that is tried: the bits of 32 results in each row, inverted
uint counts[SPAN][ROW_BITS]; // of a row of each box

void begin() {
    for (int v = 0; v < SPAN; ++v) {
        for (int b = 0; b < 8; ++b) {
            not_tried[v][b] = 0xffffffffu;
        }
    }
}

// Which of 32 values, `shift` pixels further right, are not less than the number that is tried for row v. Bits below
// `last` were not tried yet.
uint reached(const int last, const int shift, const int v) {
    uint result = 0xffffffffu;
    for (int b = last; b < 8; ++b) {
        uint plane = shift == 0 ? low[b] : low[b] >> shift | high[b] << (32 - shift);
        result = majority(plane, not_tried[v][b], result);
    }
    return result;
}

void move(const int last, int shift) {
    for (int b = last; b < 8; ++b) {
        low[b] = low[b] >> shift | high[b] << (32 - shift);
        high[b] >>= shift;
    }
}

// Counts the values of a row of pixels that reach the number that is tried.
void count_row(const int last, int at) {
    for (int b = last; b < 8; ++b) {
        low[b] = s_planes[b * PLANE_WORDS + at];
        high[b] = s_planes[b * PLANE_WORDS + at + CHANNELS];
    }
    move(last, MARGIN - u_radius.x);
    for (int v = 0; v < SPAN; ++v) {
        for (int i = 0; i < ROW_BITS; ++i) {
            counts[v][i] = 0u;
        }
        counts[v][0] = reached(last, 0, v);
#if REST == 3
        counts[v][1] = add_two(counts[v][0], reached(last, 1, v), reached(last, 2, v));
#endif
    }
    move(last, REST);
    for (int x = REST; x < 2 * u_radius.x + 1; x += 4) {
        for (int v = 0; v < SPAN; ++v) {
            uint twos = add_two(counts[v][0], reached(last, 0, v), reached(last, 1, v));
            uint more = add_two(counts[v][0], reached(last, 2, v), reached(last, 3, v));
            uint fours = add_two(counts[v][1], twos, more);
            add_carried(counts[v], 2, fours);
        }
        move(last, 4);
    }
}

// Tries a bit, `last` or a higher one.
void find_bit(const int last, int bit) {
    uint totals[SPAN][COUNT_BITS];
    for (int v = 0; v < SPAN; ++v) {
        for (int i = 0; i < COUNT_BITS; ++i) {
            totals[v][i] = 0u;
        }
        for (int b = last; b < 8; ++b) {
            not_tried[v][b] &= all_if(b != bit);
        }
    }
    int first = me / UNITS * SPAN;
    for (int row = 0; row < SPAN + 2 * u_radius.y; ++row) {
        count_row(last, (first + row) * STAGED * CHANNELS + me % UNITS);
        for (int v = 0; v < SPAN; ++v) {
            uint counts_in = all_if(row >= v && row <= v + 2 * u_radius.y);
            uint carried = 0u;
            for (int i = 0; i < COUNT_BITS; ++i) {
                carried = add_two(totals[v][i], i < ROW_BITS ? counts[v][min(i, ROW_BITS - 1)] & counts_in : 0u, carried);
            }
        }
    }
    for (int v = 0; v < SPAN; ++v) {
        uint enough = 0xffffffffu;
        for (int i = 0; i < COUNT_BITS; ++i) {
            uint wanted = all_if((u_enough >> i & 1) != 0);
            enough = majority(totals[v][i], ~wanted, enough);
        }
        for (int b = last; b < 8; ++b) {
            not_tried[v][b] |= b == bit ? ~enough : 0u;
        }
    }
}

uint stored_word(int row, int word, int channel, int k) {
    return s_planes[(row * UNITS + word * CHANNELS + channel) * 8 + k];
}

void store_results() {
    wg_sync();
    for (int v = 0; v < SPAN; ++v) {
        uint words[8];
        for (int b = 0; b < 8; ++b) {
            words[b] = ~not_tried[v][b];
        }
        transpose(words);
        for (int k = 0; k < 8; ++k) {
            s_planes[((me / UNITS * SPAN + v) * UNITS + me % UNITS) * 8 + k] = words[k];
        }
    }
    wg_sync();
    const int row_texels = 32 * WORDS / SRC_PIXELS;
    int rows = min(ROWS, u_end_row - corner.y);
    for (int work = me; work < rows * row_texels; work += GROUP) {
        int row = work / row_texels;
        ivec2 at = ivec2(corner.x / SRC_PIXELS + work % row_texels, corner.y + row);
        imageStore(i_dst, at, with_kept(stored_texel(row, work % row_texels * SRC_PIXELS), at));
    }
}

void main() {
    share_planes();
    wg_sync();
    begin();
    for (int bit = 7; bit >= u_halfway; --bit) {
        find_bit(4, bit);
    }
    for (int bit = u_halfway - 1; bit >= 0; --bit) {
        find_bit(0, bit);
    }
    store_results();
}
