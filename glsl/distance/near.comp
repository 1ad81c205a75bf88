#version 430 core
// Exact distances, fourth pass: the nearest site of pixels that have one no farther than 32. Of several as near it is the first,
// row by row; with METRIC 2 it is any of them.
//
// Reads   b_rows     lib/sites.glsl
// Writes  b_squares  lib/squares.glsl
//         b_sites    likewise
//         i_dst      likewise
//         b_least    for each row, of each 32 columns the least distance to a site in the same column, or NONE
//         b_open     for each row, of each 1024 columns a bit for each 32: whether there is a pixel without an answer, so that
//                    distance/far.comp writes all 32
// Group grid         x segments of 1024 columns, y rows, the first is u_first_row; any order
// Shared bytes       9936
// Source             O. Cuisenaire, B. Macq, Fast Euclidean Distance Transformation by Propagation Using Multiple Neighborhoods,
//                    1999, for the bound that ends the search: no site of column x + k is nearer than k
//
// @define ROW_BITS 16|32
// @define WIDE     0|1
// @define SITES    0|1
// @define METRIC   0|1|2
// @define ROOTS    0|1
// @define LAST     0|1    1: distance/far.comp does not follow, and pixels without an answer have no site
// @skip SITES=1 ROOTS=1
#define GROUP 256
#define SEGMENT 1024u
#define REACH 32u
#define LOADED 1088u // SEGMENT and REACH on both sides
#define BLOCKS 34u   // of 32 columns, in these
layout(local_size_x = GROUP) in;
#include "lib/sync.glsl"
#include "lib/sites.glsl"
#include "lib/squares.glsl"

layout(std430) writeonly buffer b_least { uint least[]; };
layout(std430) writeonly buffer b_open { uint open[]; };

// A candidate is one number, and the smallest is the answer: its square (lib/squares.glsl), 14 bits. For SITES two more parts follow
// of 7 bits each: how far down it is, plus 64, and how far to the right, plus 32.
#define NOTHING 0x3fffffffu
#if SITES == 1
#define PLACE_BITS 14
#else
#define PLACE_BITS 0
#endif

shared uint s_keys[LOADED];      // of each column: the candidate in it, as if it were this pixel's
shared uint s_distances[LOADED]; // to it, in rows
shared uint s_eighths[BLOCKS * 8u];
shared uint s_least[BLOCKS];
shared uint s_open;

#if METRIC == 0
#define OPEN ((REACH + 1u) * (REACH + 1u)) // a square that may not be the least: beyond it the search has not seen everything
#else
#define OPEN (REACH + 1u)
#endif

// The square of a distance along a column or a row.
uint straight(uint distance) {
#if METRIC == 0
    return distance * distance;
#else
    return distance;
#endif
}

uint key_of(uint square, uint down, uint across) {
#if SITES == 1
    return square << 14 | down << 7 | across;
#else
    return square;
#endif
}

// Column i of the segment, counted from REACH columns before it.
void load_column(uint i, uint y, uint row) {
    uint x = gl_WorkGroupID.x * SEGMENT + i - REACH; // wraps to the left of the picture
    uint site = x < u_width ? site_row(y, x) : NONE;
    uint distance = site == NONE ? NONE : difference(site, row);
    s_distances[i] = distance;
    s_keys[i] = distance <= REACH ? key_of(straight(distance), site - row + 64u, 0u) : NOTHING;
}

// The least distances of blocks of 32 columns, in two steps so that neighbours read different banks.
void find_least() {
    for (uint i = gl_LocalInvocationIndex; i < BLOCKS * 8u; i += uint(GROUP)) {
        uint found = NONE;
        for (uint j = 0u; j < 4u; ++j) {
            found = min(found, s_distances[i / 8u * 32u + i % 8u + 8u * j]);
        }
        s_eighths[i] = found;
    }
    wg_sync();
    uint block = gl_LocalInvocationIndex;
    if (block < BLOCKS) {
        uint found = NONE;
        for (uint j = 0u; j < 8u; ++j) {
            found = min(found, s_eighths[block * 8u + (j + block) % 8u]);
        }
        s_least[block] = found;
    }
}

// The candidate of a column as it is for a pixel k columns away; it is `across` - 32 columns to the right of it.
uint seen_from(uint key, uint k, uint across) {
#if METRIC == 2
    uint place = (key & ((1u << PLACE_BITS) - 1u)) + key_of(0u, 0u, across);
    return key == NOTHING ? NOTHING : max(key >> PLACE_BITS, k) << PLACE_BITS | place;
#else
    return key + key_of(straight(k), 0u, across);
#endif
}

// The best candidate for pixel i of the segment.
uint search(uint i) {
    uint block = i / 32u;
    if (min(min(s_least[block], s_least[block + 1u]), s_least[block + 2u]) > REACH) {
        return NOTHING;
    }
    uint place = i + REACH;
    uint best = seen_from(s_keys[place], 0u, 32u);
    for (uint k = 1u; k <= REACH && straight(k) <= best >> PLACE_BITS; ++k) {
        uint left = seen_from(s_keys[place - k], k, 32u - k);
        uint right = seen_from(s_keys[place + k], k, 32u + k);
        best = min(best, min(left, right));
    }
    return best >> PLACE_BITS >= OPEN ? NOTHING : best;
}

SQUARE square_in(uint best) {
#if WIDE == 1
    SQUARE square = uvec2(best >> PLACE_BITS, 0u);
#else
    SQUARE square = best >> PLACE_BITS;
#endif
    return best == NOTHING ? NO_SQUARE : square;
}

// Whether this pass answers all of these 32 columns.
bool is_settled(uint block) {
    return LAST == 1 || (s_open >> block & 1u) == 0u;
}

#if ROOTS == 1
// Four pixels make a texel, so they go through shared memory.
void store_answers(uint y, uint row, uint first, uint best[SEGMENT / GROUP]) {
    uint me = gl_LocalInvocationIndex;
    for (uint turn = 0u; turn < SEGMENT / GROUP; ++turn) {
        uint i = turn * uint(GROUP) + me;
        if (is_settled(i / 32u)) { // the same for 32 neighbours
            s_keys[i] = root_bits(square_in(best[turn]));
        }
    }
    wg_sync();
    if (first + 4u * me < u_width && is_settled(me / 8u)) {
        uvec4 texel = uvec4(s_keys[4u * me], s_keys[4u * me + 1u], s_keys[4u * me + 2u], s_keys[4u * me + 3u]);
        imageStore(i_dst, ivec2(first / 4u + me, y), texel);
    }
}
#else
void store_answers(uint y, uint row, uint first, uint best[SEGMENT / GROUP]) {
    for (uint turn = 0u; turn < SEGMENT / GROUP; ++turn) {
        uint i = turn * uint(GROUP) + gl_LocalInvocationIndex;
        uint x = first + i;
        uvec2 site = uvec2(x + (best[turn] & 127u) - 32u, row + (best[turn] >> 7 & 127u) - 64u);
        if (x < u_width && is_settled(i / 32u)) {
            store_square(y, x, square_in(best[turn]), site);
        }
    }
}
#endif

void main() {
    uint y = gl_WorkGroupID.y + u_first_row;
    uint row = u_origin + y;
    uint first = gl_WorkGroupID.x * SEGMENT;
    if (gl_LocalInvocationIndex == 0u) {
        s_open = 0u;
    }
    for (uint i = gl_LocalInvocationIndex; i < LOADED; i += uint(GROUP)) {
        load_column(i, y, row);
    }
    wg_sync();
    find_least();
    wg_sync();
    uint best[SEGMENT / GROUP];
    for (uint turn = 0u; turn < SEGMENT / GROUP; ++turn) {
        uint i = turn * uint(GROUP) + gl_LocalInvocationIndex;
        best[turn] = first + i < u_width ? search(i) : 0u;
        if (best[turn] == NOTHING) {
            atomicOr(s_open, 1u << i / 32u);
        }
    }
    wg_sync();
    store_answers(y, row, first, best);
    uint blocks = (u_width + 31u) / 32u;
    uint block = gl_WorkGroupID.x * 32u + gl_LocalInvocationIndex;
    if (gl_LocalInvocationIndex < 32u && block < blocks) {
        least[y * blocks + block] = s_least[gl_LocalInvocationIndex + 1u];
    }
    if (gl_LocalInvocationIndex == 0u) {
        open[y * gl_NumWorkGroups.x + gl_WorkGroupID.x] = s_open;
    }
}
