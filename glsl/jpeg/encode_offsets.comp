#version 430 core
// Finds where the bits of groups begin in their strips, and where strips begin in the data of their pictures.
//
// Reads    b_pictures
// Updates  b_groups   bits of each group; becomes those bits and the bits of the groups before it in its strip
// Writes   b_strips   of each: its first word, its bits
//          b_sizes    of each picture: words of all its strips, and of its longest group
// Group grid       z the pictures; any order
// Shared bytes     1028
// Source           none: sums
#pragma optionNV(unroll all)
#define GROUP 256
#define QUADS 1
#define FLOAT 0
#define SUBGROUP 0
#include "lib/wg_scan.glsl"
#include "jpeg/encode_facts.glsl"

layout(local_size_x = GROUP) in;

layout(std430) buffer b_groups { uvec2 groups[]; };
layout(std430) buffer b_strips { uvec2 strips[]; };
layout(std430) writeonly buffer b_sizes { uvec2 sizes[]; };

shared uint s_longest;

#define AT_ONCE 8u // groups, so that their bits are loaded together

// Its bits.
uint add_groups(uint strip) {
    uint count = fact(FACT_STRIP_GROUPS);
    uint first = fact(FACT_FIRST_GROUP) + strip * count;
    uint sum = 0u;
    uint longest = 0u;
    for (uint g = 0u; g < count; g += AT_ONCE) {
        uint bits[AT_ONCE];
        for (uint i = 0u; i < AT_ONCE; ++i) {
            bits[i] = groups[first + min(g + i, count - 1u)].x;
        }
        for (uint i = 0u; i < AT_ONCE; ++i) {
            if (g + i < count) {
                groups[first + g + i].y = sum;
                sum += bits[i];
                longest = max(longest, bits[i]);
            }
        }
    }
    atomicMax(s_longest, longest);
    return sum;
}

void main() {
    picture = gl_WorkGroupID.z;
    uint me = gl_LocalInvocationIndex;
    uint count = fact(FACT_STRIPS);
    uint each = (count + uint(GROUP) - 1u) / uint(GROUP);
    uint begin = min(me * each, count);
    uint end = min(begin + each, count);
    uint first = fact(FACT_FIRST_STRIP);
    if (me == 0u) {
        s_longest = 0u;
    }
    wg_sync();
    uint words[1];
    words[0] = 0u;
    for (uint strip = begin; strip < end; ++strip) {
        uint bits = add_groups(strip);
        strips[first + strip] = uvec2(words[0], bits);
        words[0] += (bits + 31u) / 32u;
    }
    uint total = wg_scan(words);
    for (uint strip = begin; strip < end; ++strip) {
        strips[first + strip].x += words[0];
    }
    if (me == 0u) {
        sizes[picture] = uvec2(total, (s_longest + 31u) / 32u);
    }
}
