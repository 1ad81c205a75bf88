#version 430 core
#pragma optionNV(unroll all)
// Integral image, last pass of bands. A subgroup owns a strip of a band, four columns for each invocation, and walks
// down it. It sums up each row, beginning with the sum of everything to its left, and adds the row above. Groups are
// independent.
//
// Reads   i_src    the image
//         b_words  row b: the sum of all that lies above band u_first_band + b, for each column
//         b_left   row s: the sums of all that lies left of strip s, of each row of b_words within its band alone,
//                  and of each row of the image
//         b_corners       of floats: the sum of all that lies above the first band and left of each strip
// Writes  b_corners_below the same below the last band
//         b_sums   rows u_first_row to u_end_row - 1 of the result, a word or four at a time
// Group grid       x covers the strips, y is the number of bands
// Shared memory    20 * GROUP bytes where IN_QUADS is 0, and lib/subgroup.glsl; groups come in any order.
// Source           F. C. Crow, Summed-Area Tables for Texture Mapping, SIGGRAPH 1984; reduce, then scan: D.
//                  Merrill and A. Grimshaw, Parallel Scan for Stream Architectures, CS2009-14, Univ. of
//                  Virginia, 2009
//
// @define CHANNELS  1|2|4     as stored
// @define SRC_DEPTH 8|16|32   bits of a channel
// @define FLOAT     0|1       lib/scan_value.glsl: 1 for float images
// @define STRIP     32|128    columns of a strip: four for each invocation of a subgroup
// @define SUBGROUP  1|8       lib/subgroup.glsl
// @define IN_QUADS  0|1       1: the result keeps an invocation's four words in the same order, and they begin at a
//                             quad
// @skip SRC_DEPTH=8 FLOAT=1
// @skip SRC_DEPTH=16 FLOAT=1
// @skip SRC_DEPTH=32 FLOAT=0
// @skip STRIP=128 SUBGROUP=8
// @skip STRIP=32 SUBGROUP=1
#define GROUP 128
#define QUADS 1
#define VALUE_LANES CHANNELS
#include "lib/subgroup.glsl"
#include "lib/integral.glsl"

#define LANES (STRIP / 4)      // of a subgroup
#define PIXELS (4 / CHANNELS)  // of an invocation
#define TURN 2                 // rows at a time: the loads of all are under way before the first is added

layout(local_size_x = GROUP) in;

layout(std430) readonly buffer b_words { VALUE4 words[]; }; // four words at a time
layout(std430) readonly buffer b_left { VALUE left[]; };
layout(std430) readonly buffer b_corners { VALUE corners[]; };
layout(std430) writeonly buffer b_corners_below { VALUE corners_below[]; };
layout(std430) writeonly buffer b_sum_quads { VALUE4 sum_quads[]; }; // b_sums

uniform int u_band;         // rows of a band: a multiple of TURN
uniform uint u_strips;
uniform uint u_left_values; // of a row of b_left
uniform int u_first_band;
uniform uint u_band_words; // of a row of b_words

// The part of a row that an invocation stores.
struct Share {
    int words;    // of the strip in the result
    int place[4]; // in s_words, of those that this invocation stores; unless IN_QUADS
};

uint strip_index() {
    return gl_WorkGroupID.x * uint(GROUP / LANES) + SUBGROUP_INDEX;
}

VALUE load_left(uint strip, uint place) {
    return strip < u_strips ? left[strip * u_left_values + place] : VALUE(0);
}

VALUE4 load_quad(int quad, int y) {
    uvec4 texel = imageLoad(i_src, ivec2(quad / (SRC_LANES / 4), y));
#if SRC_DEPTH == 8
    uvec2 half_texel = (quad & 2) == 0 ? texel.xy : texel.zw;
    uint four = (quad & 1) == 0 ? half_texel.x : half_texel.y;
    return VALUE4(four & 255u, bitfieldExtract(four, 8, 8), bitfieldExtract(four, 16, 8), four >> 24);
#elif SRC_DEPTH == 16
    uvec2 four = (quad & 1) == 0 ? texel.xy : texel.zw;
    return VALUE4(four.x & 0xffffu, four.x >> 16, four.y & 0xffffu, four.y >> 16);
#else
    return uintBitsToFloat(texel);
#endif
}

// Sums along a row of the strip, by channel, starting from `carry`.
VALUE4 sum_row(VALUE4 four, VALUE carry) {
    VALUE all;
#if CHANNELS == 1
    four.y += four.x;
    four.z += four.y;
    four.w += four.z;
    return four + (carry + sum_before_lane(four.w, all));
#elif CHANNELS == 2
    four.zw += four.xy;
    VALUE before = carry + sum_before_lane(four.zw, all);
    return four + VALUE4(before, before);
#else
    return four + (carry + sum_before_lane(four, all));
#endif
}

// The sum of all that lies above band `band` of these and left of the strip.
VALUE corner(uint strip, uint band) {
#if FLOAT == 1
    // In the order of the bands, so that the sum is the same whichever band is the first.
    VALUE sum = strip < u_strips ? corners[strip] : VALUE(0);
    for (uint b = 1u; b <= band; ++b) {
        sum += load_left(strip, b);
    }
    return sum;
#else
    VALUE sum = VALUE(0);
    for (uint first = 0u; first <= band; first += uint(LANES)) {
        uint place = first + SUBGROUP_LANE;
        sum += place <= band ? load_left(strip, place) : VALUE(0);
    }
    VALUE all;
    sum_before_lane(sum, all);
    return all;
#endif
}

#if IN_QUADS == 1
void find_places(inout Share share) {
}

// Stores a row's words, which begin at word `first` of the result.
void store_row(uint first, Share share, VALUE4 four) {
    int place = 4 * int(SUBGROUP_LANE);
    if (place + 3 < share.words) {
        sum_quads[(first + uint(place)) / 4u] = four;
    } else {
        for (int i = 0; i < 4; ++i) {
            if (place + i < share.words) {
                sums[first + uint(place + i)] = four[i];
            }
        }
    }
}
#else
// Here a row's words change places, so that neighbours store neighbours. The words of an invocation lie a quarter more
// than LANES apart, in different banks for the invocations that write and for those that read.
#define PLACES (LANES + LANES / 4)
shared SCALAR s_words[GROUP / LANES * 4 * PLACES];

int place_of(int lane, int word) {
    return int(SUBGROUP_INDEX) * (4 * PLACES) + word * PLACES + lane;
}

void find_places(inout Share share) {
    int words = PIXELS * u_channels; // of an invocation
    for (int k = 0; k < 4; ++k) {
        int word = k * LANES + int(SUBGROUP_LANE);
        share.place[k] = place_of(word / words, word % words);
    }
}

// For all invocations at once.
void store_row(uint first, Share share, VALUE4 four) {
    int lane = int(SUBGROUP_LANE);
    for (int i = 0; i < 4; ++i) {
        s_words[place_of(lane, i)] = four[i];
    }
    SUBGROUP_SYNC();
    for (int k = 0; k < 4; ++k) {
        if (k * LANES + lane < share.words) {
            sums[first + uint(k * LANES + lane)] = s_words[share.place[k]];
        }
    }
    SUBGROUP_SYNC();
}
#endif

void store_zeros(int y, int end) {
    for (int row = y + int(SUBGROUP_LANE); row < end; row += LANES) {
        for (int channel = 0; channel < u_channels; ++channel) {
            store_zero(row, channel);
        }
    }
}

void main() {
    uint strip = strip_index();
    uint band = gl_WorkGroupID.y;
    int x = int(strip) * (LANES * PIXELS);
    int y = (u_first_band + int(band)) * u_band;
    int rows = min(u_band, u_size.y - y);
    Share share;
    share.words = clamp(u_size.x - x, 0, LANES * PIXELS) * u_channels;
    find_places(share);

    int quad = int(strip * LANES + SUBGROUP_LANE);
    VALUE4 above = uint(quad) < u_band_words / 4u ? words[band * (u_band_words / 4u) + uint(quad)] : VALUE4(0);
    VALUE4 sum = sum_row(above, corner(strip, band));
#if FLOAT == 1
    if (band + 1u == gl_NumWorkGroups.y && SUBGROUP_LANE == 0u && strip < u_strips) {
        corners_below[strip] = corner(strip, gl_NumWorkGroups.y);
    }
#endif
    uint first = word_of(y, x + u_pad);
    if (u_pad == 1) {
        if (y == 0) {
            store_row(first, share, sum);
        }
        first += u_row_words;
        if (strip == 0u) {
            store_zeros(y == 0 ? 0 : y + 1, y + 1 + rows);
        }
    }
    uint left_place = gl_NumWorkGroups.y + 1u + band * uint(u_band);
    for (int turn = 0; turn < rows; turn += TURN) {
        VALUE4 four[TURN];
        VALUE carry[TURN];
        for (int r = 0; r < TURN; ++r) {
            four[r] = load_quad(quad, y + turn + r);
            carry[r] = load_left(strip, left_place + uint(turn + r));
        }
        for (int r = 0; r < TURN; ++r, first += u_row_words) {
            sum += sum_row(four[r], carry[r]);
            if (turn + r < rows) { // the same for the group
                store_row(first, share, sum);
            }
        }
    }
}
