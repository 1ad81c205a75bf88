#version 430 core
// JPEG, second kernel of the decoder: sums the counts of decode_synchronise.comp over the subsequences of each segment,
// and compares the states at the borders of its groups.
//
// Reads   b_tables   decode.glsl
//         b_ends     as decode_synchronise.comp wrote them
// Updates b_sums     becomes the sum of those before it in the segment
//         b_flags    WRONG_STATE where a group began with another state than the group before it reached
// Group grid         one group a picture, z
// Shared bytes       10 KiB
// Source             G. Blelloch, Prefix sums and their applications, 1990: segmented scan
#define GROUP 512u
#define OTHER_GROUP 224u // subsequences of a group of decode_synchronise.comp, without its overlap

layout(local_size_x = GROUP) in;

#include "lib/sync.glsl"
#include "jpeg/decode.glsl"

layout(std430) readonly buffer b_ends { uint ends[]; };
layout(std430) buffer b_sums { uvec4 sums[]; };
layout(std430) buffer b_flags { uint flags[]; };

shared uvec4 s_sums[GROUP];
shared uint s_begins[GROUP]; // whether a segment begins in the part

bool begins_segment(uint subsequence) {
    return tables[fact(FACT_SEGMENT_OF) + subsequence] >> 31 != 0u;
}

void main() {
    uint me = gl_LocalInvocationIndex;
    uint count = fact(FACT_SUBSEQUENCES);
    uint ends_at = fact(FACT_ENDS);
    uint share = (count + GROUP - 1u) / GROUP;
    uint begin = min(me * share, count);
    uint end = min(begin + share, count);
    uvec4 sum = uvec4(0u);
    uint begins = 0u;
    for (uint i = begin; i < end; ++i) {
        if (begins_segment(i)) {
            sum = uvec4(0u);
            begins = 1u;
        }
        sum += sums[ends_at + i];
    }
    s_sums[me] = sum;
    s_begins[me] = begins;
    wg_sync();
    for (uint distance = 1u; distance < GROUP; distance *= 2u) {
        uvec4 before = uvec4(0u);
        uint begins_before = 0u;
        if (me >= distance) {
            before = s_sums[me - distance];
            begins_before = s_begins[me - distance];
        }
        wg_sync();
        if (s_begins[me] == 0u) {
            s_sums[me] += before;
        }
        s_begins[me] |= begins_before;
        wg_sync();
    }
    sum = me == 0u ? uvec4(0u) : s_sums[me - 1u];
    for (uint i = begin; i < end; ++i) {
        if (begins_segment(i)) {
            sum = uvec4(0u);
        }
        uvec4 own = sums[ends_at + i];
        sums[ends_at + i] = sum;
        sum += own;
    }
    uint groups = (count + OTHER_GROUP - 1u) / OTHER_GROUP;
    for (uint group = 1u + me; group < groups; group += GROUP) {
        uint first = group * OTHER_GROUP;
        if (!begins_segment(first) && ends[fact(FACT_GROUP_STARTS) + group] != ends[ends_at + first - 1u]) {
            atomicOr(flags[2u * PICTURE], WRONG_STATE);
        }
    }
}
