#version 430 core
// The value of a given rank among the pixels under a box, for each channel by itself, by histograms: any radius, any
// rank.
//
// An invocation has one channel of one column, and a histogram of its own in shared memory. For 8 bits it walks down
// its column. The row that enters the box is counted, and the row that leaves it is subtracted. The search for the rank
// begins at the value found one row before. Longer values are found digit by digit, of 8 bits each. The histogram then
// counts the values that begin with the digits found so far, and is made anew for each.
//
// Reads   i_src    the image
//         b_ranks  floats: the rank wanted among n values, for each n
// Writes  i_dst    the result, of the same format
// Group grid       x covers the texels, GROUP_TEXELS a group, y the rows from u_first_row to u_end_row - 1, u_rows a group
// Shared bytes     32 * COUNT_BITS * GROUP, and at most 17 * GROUP + 4224 for rows; groups come in any order.
// Source           T. S. Huang, G. J. Yang, G. Y. Tang, A fast two-dimensional median filtering algorithm, IEEE Trans. ASSP
//                  27(1), 1979.
//
// @define BORDER     0|1|2|3|4   lib/border.glsl
// @define CHANNELS   1|2|4       as stored
// @define SRC_DEPTH  8|16|32     bits of a channel
// @define KEEP       0|1         1: the last channel is kept as it is
// @define COUNT_BITS 8|16        of a count: 8 while the box has at most 255 pixels
// @define GROUP      32|96       values of a row that a group stores: 32 or more, as many as fit, hide the waits of each other
// @skip CHANNELS=1 KEEP=1
#define DST_DEPTH SRC_DEPTH
#include "lib/texel.glsl"
#include "lib/put_lane.glsl"
#include "lib/border.glsl"
#include "lib/keys.glsl"
#include "lib/sync.glsl"

layout(local_size_x = GROUP) in;

layout(rgba32ui) writeonly uniform uimage2D i_dst;

uniform ivec2 u_radius; // at most MOST_RADIUS
#if SRC_DEPTH == 32
layout(std430) readonly buffer b_ranks { uint ranks[]; };
#else
uniform uint u_rank; // that is wanted
#endif
uniform int u_first_row;
uniform int u_end_row;
uniform int u_rows;

#define MOST_RADIUS 127
#define BATCH 4 // values of a row that are on their way at once
#define MOST_REACH ((MOST_RADIUS + SRC_PIXELS - 1) / SRC_PIXELS)
#define GROUP_TEXELS (GROUP / SRC_LANES)
#define ROW_WORDS (4 * (GROUP_TEXELS + 2 * MOST_REACH) + CHANNELS * (BATCH - 1)) // the last batch may look beyond the box
#define WORD_LANES (32 / SRC_DEPTH)
#define COUNTS (32 / COUNT_BITS) // in a word
#define WORDS (256 / COUNTS)     // of a histogram
#define DIGITS (SRC_DEPTH / 8)
#define STAGED (DIGITS == 1 ? 2 : 1) // rows: the one that comes in, the one that goes out

shared uint s_counts[WORDS * GROUP]; // word w of invocation i at w * GROUP + i
shared uint s_rows[STAGED * ROW_WORDS];
shared uint s_result[GROUP];

int me = int(gl_LocalInvocationIndex);
int reach = (u_radius.x + SRC_PIXELS - 1) / SRC_PIXELS; // texels left and right that the group depends on

// The digit that is counted, for keys that are equal to `start` in higher bits.
int digit = 0;
uint start = 0u;
uint found_word[DIGITS]; // of each digit: where the search begins
uint below = 0u;         // how many values are counted in words before it
uint present = 0u;       // how many are not missing

void clear() {
    for (int w = 0; w < WORDS; w += 8) {
        for (int i = 0; i < 8; ++i) {
            s_counts[(w + i) * GROUP + me] = 0u;
        }
    }
    below = 0u;
}

// `times` is 1, or -1 as a word.
void count_key(uint key, uint times) {
#if DIGITS > 1
    int shift = SRC_DEPTH - 8 - 8 * digit;
    bool counts = (key ^ start) >> shift >> 8 == 0u && !(SRC_DEPTH == 32 && key == NO_KEY);
    times = counts ? times : 0u;
    key = key >> shift & 255u;
    present += digit == 0 ? times : 0u;
#endif
    uint word = key / uint(COUNTS);
    atomicAdd(s_counts[word * uint(GROUP) + uint(me)], times << key % uint(COUNTS) * uint(COUNT_BITS));
    below += word < found_word[digit] ? times : 0u;
}

uint sum_of_counts(uint word) {
    uint counts = s_counts[word * GROUP + me];
#if COUNT_BITS == 8
    counts = (counts & 0x00ff00ffu) + (counts >> 8 & 0x00ff00ffu);
#endif
    return (counts & 0xffffu) + (counts >> 16);
}

// Finds the digit of the value of this rank. `rank` then becomes its rank among the values with that digit.
uint find(inout uint rank) {
    uint word = found_word[digit];
    while (below > rank) {
        below -= sum_of_counts(--word);
    }
    for (; word < WORDS - 1; ++word) {
        uint more = sum_of_counts(word);
        if (below + more > rank) {
            break;
        }
        below += more;
    }
    found_word[digit] = word;
    uint counts = s_counts[word * GROUP + me];
    uint before = below;
    uint found = word * COUNTS;
    for (int i = 1; i < COUNTS; ++i) {
        uint through = before + (counts & ((1u << COUNT_BITS) - 1u));
        bool is_passed = through <= rank;
        before = is_passed ? through : before;
        found += is_passed ? 1u : 0u;
        counts = is_passed ? counts >> COUNT_BITS : counts;
    }
    rank -= before;
    return found;
}

int texels_staged() {
    return GROUP_TEXELS + 2 * reach;
}

uvec4 texel_of_row(int t, int y) {
    return bordered_texel(int(gl_WorkGroupID.x) * GROUP_TEXELS - reach + t, border_index(y, u_size.y));
}

void put_texel(int slot, int t, uvec4 texel) {
    for (int i = 0; i < 4; ++i) {
        s_rows[slot * ROW_WORDS + 4 * t + i] = texel[i];
    }
}

// Row y of the image, as far as the group depends on it, into shared memory.
void stage(int slot, int y) {
    for (int t = me; t < texels_staged(); t += GROUP) {
        put_texel(slot, t, texel_of_row(t, y));
    }
}

// The value `distance` pixels to the right of the invocation's in a staged row. Unsigned, as signed numbers are slow to divide.
uint key_at(int slot, int distance) {
#if CHANNELS % WORD_LANES == 0
    uint lane = uint(me) % uint(WORD_LANES); // wherever it looks
    uint word = uint(reach * SRC_LANES + me) / uint(WORD_LANES) + uint(distance * (CHANNELS / WORD_LANES));
#else
    uint at = uint(reach * SRC_LANES + me + distance * CHANNELS);
    uint lane = at % uint(WORD_LANES);
    uint word = at / uint(WORD_LANES);
#endif
    uint bits = s_rows[uint(slot * ROW_WORDS) + word];
#if SRC_DEPTH == 32
    return key_of(bits);
#else
    return bitfieldExtract(bits, int(lane) * SRC_DEPTH, SRC_DEPTH);
#endif
}

// Counts a value in each of `slots` staged rows, beginning with slot 0. Pixels beyond the box are counted 0 times.
void count_rows(const int slots, uint times[2]) {
    for (int x = -u_radius.x; x <= u_radius.x; x += BATCH) {
        uint keys[2 * BATCH];
        for (int i = 0; i < slots * BATCH; ++i) {
            keys[i] = key_at(i / BATCH, x + i % BATCH);
        }
        for (int i = 0; i < slots * BATCH; ++i) {
            count_key(keys[i], x + i % BATCH <= u_radius.x ? times[i / BATCH] : 0u);
        }
    }
}

void stage_and_count(int y) {
    wg_sync();
    stage(0, y);
    wg_sync();
    count_rows(1, uint[](1u, 0u));
}

#if DIGITS == 1
// A texel of the two rows, the one that enters at row y and the one that leaves.
uvec4 texel_of_both(int n, int y) {
    bool is_first = n < texels_staged();
    return texel_of_row(is_first ? n : n - texels_staged(), is_first ? y + u_radius.y : y - u_radius.y - 1);
}

void put_texel_of_both(int n, uvec4 texel) {
    if (n < 2 * texels_staged()) {
        bool is_first = n < texels_staged();
        put_texel(is_first ? 0 : 1, is_first ? n : n - texels_staged(), texel);
    }
}

uvec4 early; // loaded one row ahead

void begin_column(int y) {
    clear();
    found_word[0] = 0u;
    for (int i = -u_radius.y - 1; i < u_radius.y; ++i) {
        stage_and_count(y + i);
    }
    early = texel_of_both(me, y);
}

// For one row after the other.
uint key_of_rank(int y) {
    wg_sync();
    put_texel_of_both(me, early);
    for (int n = me + GROUP; n < 2 * texels_staged(); n += GROUP) {
        put_texel_of_both(n, texel_of_both(n, y));
    }
    wg_sync();
    early = texel_of_both(me, y + 1);
    count_rows(2, uint[](1u, 0xffffffffu)); // both, so that neither waits for the other
    uint rank = u_rank;
    return find(rank);
}
#else
void begin_column(int y) {
    for (int d = 0; d < DIGITS; ++d) {
        found_word[d] = WORDS / 2;
    }
}

uint key_of_rank(int y) {
#if SRC_DEPTH == 32
    uint rank = 0u; // once it is known how many values there are
#else
    uint rank = u_rank;
#endif
    start = 0u;
    present = 0u;
    for (digit = 0; digit < DIGITS; ++digit) {
        clear();
        for (int i = -u_radius.y; i <= u_radius.y; ++i) {
            stage_and_count(y + i);
        }
#if SRC_DEPTH == 32
        rank = digit == 0 ? ranks[present] : rank;
#endif
        start |= find(rank) << (SRC_DEPTH - 8 - 8 * digit);
    }
    digit = 0;
    return SRC_DEPTH == 32 && present == 0u ? NO_KEY : start;
}
#endif

void store_row(int y, uint key) {
    s_result[me] = bits_of_key(key);
    wg_sync();
    for (int t = me; t < GROUP_TEXELS; t += GROUP) {
        ivec2 at = ivec2(int(gl_WorkGroupID.x) * GROUP_TEXELS + t, y);
        uvec4 texel = uvec4(0u);
#if KEEP == 1
        uvec4 source = imageLoad(i_src, at);
#endif
        for (int lane = 0; lane < SRC_LANES; ++lane) {
            uint bits = s_result[t * SRC_LANES + lane];
#if KEEP == 1
            bits = lane % CHANNELS == CHANNELS - 1 ? lane_bits(source, lane) : bits;
#endif
            put_lane(texel, lane, bits);
        }
        imageStore(i_dst, at, texel);
    }
}

void main() {
    int begin = u_first_row + int(gl_WorkGroupID.y) * u_rows;
    int end = min(begin + u_rows, u_end_row);
    begin_column(begin);
    for (int y = begin; y < end; ++y) {
        store_row(y, key_of_rank(y));
    }
}
