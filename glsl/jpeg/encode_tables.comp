#version 430 core
// The Huffman tables that spend the fewest bits on a picture, as libjpeg's jpeg_gen_optimal_table() makes them; or the
// tables of the standard.
//
// The procedure takes the two lightest branches again and again. Here all branches lie sorted: each step takes the
// first two, and every invocation moves one of the others to its new place. Of equally light branches the one with the
// larger symbol comes first. Symbol 256 has the last code, so that no other symbol's code is all ones.
//
// Reads   b_pictures, b_counts
//         b_standard  1024 codes
// Writes  b_codes     of each symbol: its code | its length << 16. 1024 of a picture: 256 of each of its tables
// Group grid      x 4: the tables, z the pictures; any order
// Shared bytes    6020
// Source          ITU T.81, annex K.2; libjpeg-turbo, jchuff.c
#include "lib/sync.glsl"
#include "jpeg/encode_facts.glsl"

#define GROUP 288
layout(local_size_x = GROUP) in;

layout(std430) readonly buffer b_counts { uint counts[]; };
layout(std430) readonly buffer b_standard { uint standard[]; };
layout(std430) writeonly buffer b_codes { uint codes[]; };

#define CANDIDATES 257u
#define LONGEST 16u // bits of a code
#define DEPTHS 64u  // a branch as deep as this has more than 2^32 symbols

shared uvec2 s_from[GROUP]; // count and symbol
shared uvec2 s_to[GROUP];
shared uint s_lengths[GROUP];
shared uint s_of_length[DEPTHS];
shared uint s_branches;

uint me = 0u;
uint branch = 0u; // the symbol that stands for the branch of this invocation's symbol
uint depth = 0u;

bool is_before(uvec2 a, uvec2 b) {
    return a.x < b.x || (a.x == b.x && a.y > b.y);
}

// Sorts the symbols that occur into s_from. All others are as heavy as can be.
void sort_branches(uint count) {
    uvec2 mine = uvec2(count, me);
    s_to[me] = mine;
    if (me == 0u) {
        s_branches = 0u;
    }
    wg_sync();
    if (count > 0u) {
        uint place = 0u;
        for (uint i = 0u; i < CANDIDATES; ++i) {
            uvec2 other = s_to[i];
            place += other.x > 0u && is_before(other, mine) ? 1u : 0u;
        }
        s_from[place] = mine;
        atomicAdd(s_branches, 1u);
    }
    wg_sync();
}

#define JOIN(from, to, left)                                                                                           \
    {                                                                                                                  \
        uvec2 first = from[0];                                                                                         \
        uvec2 second = from[1];                                                                                        \
        uvec2 joined = uvec2(first.x + second.x, first.y);                                                             \
        if (branch == first.y || branch == second.y) {                                                                 \
            branch = first.y;                                                                                          \
            ++depth;                                                                                                   \
        }                                                                                                              \
        if (me >= 1u && me < left) {                                                                                   \
            bool comes_before = me == 1u || is_before(from[me], joined);                                               \
            bool next_does = me + 1u < left && is_before(from[me + 1u], joined);                                       \
            if (me >= 2u) {                                                                                            \
                to[me - (comes_before ? 2u : 1u)] = from[me];                                                          \
            }                                                                                                          \
            if (comes_before && !next_does) {                                                                          \
                to[me - 1u] = joined;                                                                                  \
            }                                                                                                          \
        }                                                                                                              \
        wg_sync();                                                                                                     \
    }

void join_branches() {
    uint left = s_branches; // the same for all
    for (uint step = 0u; step < CANDIDATES && left > 1u; ++step) {
        JOIN(s_from, s_to, left)
        --left;
        if (left > 1u) {
            JOIN(s_to, s_from, left)
            --left;
        }
    }
}

// Codes that are too long come in pairs. One of a pair takes over their common prefix. The other shares the prefix of a
// shorter code.
void shorten() {
    for (uint length = DEPTHS - 1u; length > LONGEST; --length) {
        for (uint pair = 0u; pair < CANDIDATES && s_of_length[length] > 0u; ++pair) {
            uint shorter = length - 2u;
            for (; shorter > 0u && s_of_length[shorter] == 0u; --shorter) {
            }
            s_of_length[length] -= 2u;
            s_of_length[length - 1u] += 1u;
            s_of_length[shorter + 1u] += 2u;
            s_of_length[shorter] -= 1u;
        }
    }
}

// The code of the symbol at this place among those that have a code.
uint code_at(uint place) {
    uint before = 0u;
    uint code = 0u;
    for (uint length = 1u; length <= LONGEST; ++length) {
        uint count = s_of_length[length];
        if (place < before + count) {
            return (code + place - before) | length << 16;
        }
        code = (code + count) << 1;
        before += count;
    }
    return 0u;
}

// Shorter codes come first, then smaller symbols.
uint place_of_mine() {
    uint place = 0u;
    for (uint i = 0u; i < 256u; ++i) {
        uint length = s_lengths[i];
        place += length > 0u && (length < depth || (length == depth && i < me)) ? 1u : 0u;
    }
    return place;
}

void main() {
    picture = gl_WorkGroupID.z;
    me = gl_LocalInvocationIndex;
    uint table = 1024u * picture + 256u * gl_WorkGroupID.x;
    branch = me;
    depth = 0u;
    if (me < DEPTHS) {
        s_of_length[me] = 0u;
    }
    bool own = fact(FACT_OWN_TABLES) == 1u;
    uint count = me == 256u ? 1u : own && me < 256u ? counts[table + me] : 0u;
    sort_branches(count);
    join_branches();
    if (me < CANDIDATES && depth > 0u) {
        atomicAdd(s_of_length[min(depth, DEPTHS - 1u)], 1u);
    }
    s_lengths[me] = depth;
    wg_sync();
    if (me == 0u) {
        shorten();
    }
    wg_sync();
    if (me < 256u) {
        uint code = depth > 0u ? code_at(place_of_mine()) : 0u;
        codes[table + me] = own ? code : standard[256u * gl_WorkGroupID.x + me];
    }
}
