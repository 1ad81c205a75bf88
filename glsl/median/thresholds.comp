#version 430 core
#pragma optionNV(unroll all)
// The value of a given rank among the pixels under a box, for each channel of 8 bits by itself: 32 pixels at a time,
// threshold by threshold.
//
// The result reaches a threshold if enough of the values under the box do. For one threshold each value is a bit. The
// number of 1s is a sum over rows and then columns, by full adders whose bits belong to 32 boxes side by side. A group
// first looks for a threshold that all its results reach. Then it goes up by one at a time until no result reaches it.
// That costs as many thresholds as its results differ by. Results are kept in Gray code, in which each threshold
// reached changes one bit.
//
// An invocation holds a row of pixels as planes, and counts along it; a task sums the counts of SPAN boxes one below the other.
//
// Reads   i_src    the image
// Writes  i_dst    the result, of the same format
// Group grid       x covers the pixels, 64 a group, y the rows from u_first_row to u_end_row - 1, 64 a group
// Shared bytes     at most 31752; groups come in any order.
// Source           J. P. Fitch, E. J. Coyle, N. C. Gallagher, Median filtering by threshold decomposition, IEEE Trans. ASSP 32(6),
//                  1984; sums of bits side by side as in H. S. Warren, Hacker's Delight, 5-1.
//
// @define BORDER   0|1|2|3|4   lib/border.glsl
// @define CHANNELS 1|2|4       as stored
// @define KEEP     0|1         1: the last channel is kept as it is
// @define STEPS    0|1|2|3|4   the number of bits of 2 * u_radius.x + 1, minus 1
// @skip CHANNELS=1 KEEP=1
#define SRC_DEPTH 8
#define DST_DEPTH 8
#define FETCHED 1
#include "lib/texel.glsl"
#include "lib/put_lane.glsl"
#include "lib/border.glsl"
#include "lib/bit_planes.glsl"
#include "lib/kept.glsl"
#include "lib/sync.glsl"

#define GROUP 96 // at least ROWS and twice the largest radius
layout(local_size_x = GROUP) in;

layout(rgba32ui) writeonly uniform uimage2D i_dst;

uniform ivec2 u_radius; // at most 15
uniform int u_enough;   // the least number of values that must reach a threshold for the result to reach it
uniform int u_channels; // that are not kept; this and the next are uniforms, as unrolled loops would compile for a minute
uniform int u_tried;    // TRIED
uniform int u_first_row;
uniform int u_end_row;

#define WORDS 2                 // of a row of results, 32 each
#define STAGED 3                // of a row of pixels
#define MARGIN 16               // pixels left of the results, and right: whole texels
#define ROWS 64                 // of results
#define SPAN 8                  // of a task
#define TRIED 4                 // thresholds at a time
#define ROW_BITS (STEPS + 1)    // of the count of a row of a box
#define SUM_BITS (ROW_BITS + 6) // of the count of a box, and a sign

shared uint s_counts[TRIED * ROW_BITS * WORDS * GROUP];
shared uint s_results[8 * CHANNELS * WORDS * ROWS];
shared uint s_seen[2]; // in turn; bit i: a result reaches threshold i of those tried, bit 16 + i: one does not

int me = int(gl_LocalInvocationIndex);
ivec2 corner = ivec2(int(gl_WorkGroupID.x) * 32 * WORDS, u_first_row + int(gl_WorkGroupID.y) * ROWS);

uint planes[STAGED][8]; // bit b of 32 pixels side by side, of a channel of the invocation's row
int turn = 0;

// Place of a row in a column of words: words that are read or written at the same time lie in different banks.
int spread(int row, int word, int number) {
    return row ^ (row / 32 % 2 * 8 + word * 4 + number % 4);
}

int place_of_count(int row, int word, int i, const int bit) {
    return ((i * ROW_BITS + bit) * WORDS + word) * GROUP + spread(row, word, i);
}

int place_of_result(int row, int word, int channel, int plane) {
    return ((plane * CHANNELS + channel) * WORDS + word) * ROWS + spread(row, word, plane);
}

// 32 bits, beginning at bit `shift`, which is not 0.
uint shifted(uint low, uint high, int shift) {
    return low >> shift | high << (32 - shift);
}

// Loads row `me` of a channel, beginning with the leftmost pixel under a box.
void load_planes(int channel) {
    for (int w = 0; w < STAGED; ++w) {
        uint words[8];
        load_pixels(corner.x + 32 * w - MARGIN, corner.y + me - u_radius.y, channel, words);
        transpose(words);
        planes[w] = words; // copy: the words are other variables in each turn; right on Mesa 25
    }
    for (int w = 0; w < STAGED; ++w) {
        for (int b = 0; b < 8; ++b) {
            planes[w][b] = shifted(planes[w][b], w + 1 < STAGED ? planes[min(w + 1, STAGED - 1)][b] : 0u, MARGIN - u_radius.x);
        }
    }
}

// Which of 32 values reach a threshold.
uint reached(uint values[8], int threshold) {
    uint result = 0xffffffffu;
    for (int b = 0; b < 8; ++b) {
        result = majority(values[b], all_if((threshold >> b & 1) == 0), result);
    }
    return result;
}

// How many values of each box in row `me` reach threshold i of those tried. The counts of twice as many values, or one
// more, are the sums of the counts of two neighbours.
void count_row(int threshold, int i) {
    uint ones[STAGED];
    uint counts[ROW_BITS][STAGED];
    for (int w = 0; w < STAGED; ++w) {
        ones[w] = reached(planes[w], threshold);
        counts[0][w] = ones[w];
    }
    int width = 1;
    for (int step = 1; step <= STEPS; ++step) {
        bool is_odd = ((2 * u_radius.x + 1) >> (STEPS - step) & 1) != 0;
        for (int w = 0; w < STAGED; ++w) {
            const int next = min(w + 1, STAGED - 1); // beyond the last there is nothing that counts
            uint carried = shifted(ones[w], ones[next], 2 * width) & all_if(is_odd);
            for (int b = 0; b < step; ++b) {
                carried = add_two(counts[b][w], shifted(counts[b][w], counts[b][next], width), carried);
            }
            counts[min(step, ROW_BITS - 1)][w] = carried;
        }
        width = 2 * width + (is_odd ? 1 : 0);
    }
    for (int w = 0; w < WORDS; ++w) {
        for (int b = 0; b < ROW_BITS; ++b) {
            s_counts[place_of_count(me, w, i, b)] = counts[b][w];
        }
    }
}

// Which boxes of SPAN rows, beginning with row `first`, hold enough values that reach threshold i.
void sum_rows(int threshold, int i, int first, int word, int channel, bool is_search) {
    uint sum[SUM_BITS]; // minus u_enough
    for (int b = 0; b < SUM_BITS; ++b) {
        sum[b] = all_if((-u_enough >> b & 1) != 0);
    }
    uint carried = 0u;
    for (int b = 0; b < SUM_BITS; ++b) {
        carried = add_two(sum[b], b < ROW_BITS ? s_counts[place_of_count(first, word, i, min(b, ROW_BITS - 1))] : 0u, carried);
    }
    for (int row = first + 1; row <= first + 2 * u_radius.y; row += 2) {
        uint carries[2] = uint[](0u, 0u);
        for (int b = 0; b < ROW_BITS; ++b) {
            carries[0] = add_two(sum[b], s_counts[place_of_count(row, word, i, b)], carries[0]);
            carries[1] = add_two(sum[b], s_counts[place_of_count(row + 1, word, i, b)], carries[1]);
        }
        for (int b = ROW_BITS; b < SUM_BITS; ++b) {
            carries[1] = add_two(sum[b], carries[0], carries[1]);
            carries[0] = 0u;
        }
    }
    uint any = 0u;
    uint all = 0xffffffffu;
    int rows = min(SPAN, u_end_row - corner.y - first);
    for (int row = first; row < first + rows; ++row) {
        uint enough = ~sum[SUM_BITS - 1] & all_if(threshold <= 255);
        any |= enough;
        all &= enough;
        if (!is_search) {
            atomicXor(s_results[place_of_result(row, word, channel, findLSB(threshold) & 7)], enough);
        }
        uint borrowed = 0u;
        carried = 0u;
        for (int b = 0; b < ROW_BITS; ++b) {
            uint old = s_counts[place_of_count(row, word, i, b)];
            uint new = s_counts[place_of_count(row + 2 * u_radius.y + 1, word, i, b)];
            carried = add_two(sum[b], new ^ old ^ borrowed, carried);
            borrowed = majority(~new, old, borrowed);
        }
        for (int b = ROW_BITS; b < SUM_BITS; ++b) {
            carried = add_two(sum[b], borrowed, carried);
        }
    }
    if (rows > 0) {
        atomicOr(s_seen[turn], (any != 0u ? 1u << i : 0u) | (all != 0xffffffffu ? 65536u << i : 0u));
    }
}

// Tries thresholds first, first + step …: says which of them some results reach, and which not all do, in the form of
// s_seen.
uint try_thresholds(int first, int step, int channel, bool is_search) {
    turn ^= 1;
    if (me == 0) {
        s_seen[turn] = 0u;
    }
    for (int i = 0; i < u_tried; ++i) {
        count_row(first + i * step, i);
    }
    wg_sync();
    const int strips = ROWS / SPAN;
    for (int task = me; task < strips * WORDS * TRIED; task += GROUP) {
        int i = task / (strips * WORDS);
        sum_rows(first + i * step, i, task % strips * SPAN, task / strips % WORDS, channel, is_search);
    }
    wg_sync();
    return s_seen[turn];
}

// All results are `base`, in Gray code.
void begin_results(int channel, int base) {
    for (int unit = me; unit < 8 * WORDS * ROWS; unit += GROUP) {
        int plane = unit / (WORDS * ROWS);
        int place = (plane * CHANNELS + channel) * WORDS * ROWS + unit % (WORDS * ROWS);
        s_results[place] = all_if(((base ^ base >> 1) >> plane & 1) != 0);
    }
}

void find_results(int channel) {
    load_planes(channel);
    int base = 0; // a threshold that all reach
    int step = (255 + u_tried) / (u_tried + 1);
    while (step > 0) {
        uint seen = try_thresholds(base + step, step, channel, step > 1);
        if (step > 1) {
            base += step * findLSB(seen >> 16 | 1u << TRIED);
            step = (step + TRIED) / (TRIED + 1);
            if (step == 1) {
                begin_results(channel, base);
            }
        } else {
            base += TRIED;
            step = (seen >> (TRIED - 1) & 1u) != 0u && base < 255 ? 1 : 0;
        }
    }
}

// From Gray code in planes to bytes.
void make_bytes() {
    for (int unit = me; unit < u_channels * WORDS * ROWS; unit += GROUP) {
        int row = unit % ROWS;
        int word = unit / ROWS % WORDS;
        int channel = unit / (ROWS * WORDS);
        uint words[8];
        for (int b = 7; b >= 0; --b) {
            words[b] = s_results[place_of_result(row, word, channel, b)] ^ (b < 7 ? words[min(b + 1, 7)] : 0u);
        }
        transpose(words);
        for (int b = 0; b < 8; ++b) {
            s_results[place_of_result(row, word, channel, b)] = words[b];
        }
    }
}

uint stored_word(int row, int word, int channel, int k) {
    return s_results[place_of_result(row, word, channel, k)];
}

void store_results() {
    const int row_texels = 32 * WORDS / SRC_PIXELS;
    int rows = min(ROWS, u_end_row - corner.y);
    for (int work = me; work < rows * row_texels; work += GROUP) {
        int row = work / row_texels;
        ivec2 at = ivec2(corner.x / SRC_PIXELS + work % row_texels, corner.y + row);
        imageStore(i_dst, at, with_kept(stored_texel(row, work % row_texels * SRC_PIXELS), at));
    }
}

void main() {
    for (int channel = 0; channel < u_channels; ++channel) {
        find_results(channel);
    }
    make_bytes();
    wg_sync();
    store_results();
}
