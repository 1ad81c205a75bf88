#version 430 core
// The quantised coefficients of blocks, by the forward transform of libjpeg-turbo ("islow"). Each invocation keeps one
// block in registers.
//
// Blocks that only fill the last units of a row or a column have no coefficients except the DC of the block before
// them.
//
// Reads   b_pictures      the batch
//         b_planes        samples
// Writes  b_coefficients  of each block eight elements of eight coefficients, in the order of the scan and in zigzag
//                         order; an element that holds zeros alone is not written
//         b_blocks        of each block: which of its AC coefficients are not zero, a bit each; its DC
//         b_counts        zeros, for jpeg/encode_count.comp
// Group grid      x covers the blocks of the largest component, y the components, z the pictures; any order
// Shared bytes    512
// Source          C. Loeffler, A. Ligtenberg, G. S. Moschytz, Practical fast 1-D DCT algorithms with 11
//                 multiplications, ICASSP 1989; libjpeg-turbo, jfdctint.c: the precision of each step
#pragma optionNV(unroll all)
#include "lib/sync.glsl"
#include "jpeg/encode_facts.glsl"

#define GROUP 64
layout(local_size_x = GROUP) in;

layout(std430) readonly buffer b_planes { uvec2 planes[]; };
layout(std430) writeonly buffer b_coefficients { uvec4 coefficients[]; };
layout(std430) writeonly buffer b_blocks { uvec4 blocks[]; };
layout(std430) writeonly buffer b_counts { uint counts[]; };

#define COUNTS 1024u // of a picture

shared uvec2 s_quantisation[64];

int a[64]; // the block
uvec2 nonzero = uvec2(0u);

// Odd part of the transform of eight values; `shift` takes 13 bits of fraction out, and `rounding` is one half.
void odd_part(int t4, int t5, int t6, int t7, const int rounding, const int shift, out int a1, out int a3, out int a5,
              out int a7) {
    int z1 = (t4 + t7) * -7373;
    int z2 = (t5 + t6) * -20995;
    int z5 = (t4 + t6 + t5 + t7) * 9633;
    int z3 = (t4 + t6) * -16069 + z5;
    int z4 = (t5 + t7) * -3196 + z5;
    a7 = (t4 * 2446 + z1 + z3 + rounding) >> shift;
    a5 = (t5 * 16819 + z2 + z4 + rounding) >> shift;
    a3 = (t6 * 25172 + z2 + z3 + rounding) >> shift;
    a1 = (t7 * 12299 + z1 + z4 + rounding) >> shift;
}

// Subtracts 128 from the samples, which shows only in the sum of all. Results have two bits of fraction.
void transform_row(const int r, uvec2 samples) {
    int x0 = int(bitfieldExtract(samples.x, 0, 8));
    int x1 = int(bitfieldExtract(samples.x, 8, 8));
    int x2 = int(bitfieldExtract(samples.x, 16, 8));
    int x3 = int(samples.x >> 24);
    int x4 = int(bitfieldExtract(samples.y, 0, 8));
    int x5 = int(bitfieldExtract(samples.y, 8, 8));
    int x6 = int(bitfieldExtract(samples.y, 16, 8));
    int x7 = int(samples.y >> 24);
    int t10 = x0 + x7 + x3 + x4;
    int t13 = x0 + x7 - x3 - x4;
    int t11 = x1 + x6 + x2 + x5;
    int t12 = x1 + x6 - x2 - x5;
    a[r] = ((t10 + t11) << 2) - 4096;
    a[r + 4] = (t10 - t11) << 2;
    int z1 = (t12 + t13) * 4433;
    a[r + 2] = (z1 + t13 * 6270 + 1024) >> 11;
    a[r + 6] = (z1 - t12 * 15137 + 1024) >> 11;
    odd_part(x3 - x4, x2 - x5, x1 - x6, x0 - x7, 1024, 11, a[r + 1], a[r + 3], a[r + 5], a[r + 7]);
}

void transform_column(const int c) {
    int t10 = a[c] + a[c + 56] + a[c + 24] + a[c + 32];
    int t13 = a[c] + a[c + 56] - a[c + 24] - a[c + 32];
    int t11 = a[c + 8] + a[c + 48] + a[c + 16] + a[c + 40];
    int t12 = a[c + 8] + a[c + 48] - a[c + 16] - a[c + 40];
    int t4 = a[c + 24] - a[c + 32];
    int t5 = a[c + 16] - a[c + 40];
    int t6 = a[c + 8] - a[c + 48];
    int t7 = a[c] - a[c + 56];
    a[c] = (t10 + t11 + 2) >> 2;
    a[c + 32] = (t10 - t11 + 2) >> 2;
    int z1 = (t12 + t13) * 4433;
    a[c + 16] = (z1 + t13 * 6270 + 16384) >> 15;
    a[c + 48] = (z1 - t12 * 15137 + 16384) >> 15;
    odd_part(t4, t5, t6, t7, 16384, 15, a[c + 8], a[c + 24], a[c + 40], a[c + 56]);
}

// Divided by eight times the table's value, rounded to nearest: the reciprocal is exact for all that can occur.
int quantised(const int place, const uint k) {
    uvec2 q = s_quantisation[k];
    int value = a[place];
    int n = int(((uint(abs(value)) + (q.y & 0xffffu)) * q.x) >> (q.y >> 16));
    return value < 0 ? -n : n;
}

uint pair_of(int even, int odd) {
    return (uint(even) & 0xffffu) | uint(odd) << 16;
}

// Coefficients 8 e to 8 e + 7, which have these places in the block.
#define STORE(block, e, p0, p1, p2, p3, p4, p5, p6, p7)                                                                \
    {                                                                                                                  \
        int v0 = quantised(p0, 8u * e);                                                                                \
        int v1 = quantised(p1, 8u * e + 1u);                                                                           \
        int v2 = quantised(p2, 8u * e + 2u);                                                                           \
        int v3 = quantised(p3, 8u * e + 3u);                                                                           \
        int v4 = quantised(p4, 8u * e + 4u);                                                                           \
        int v5 = quantised(p5, 8u * e + 5u);                                                                           \
        int v6 = quantised(p6, 8u * e + 6u);                                                                           \
        int v7 = quantised(p7, 8u * e + 7u);                                                                           \
        if (e == 0u) {                                                                                                 \
            dc = v0;                                                                                                   \
            v0 = 0;                                                                                                    \
        }                                                                                                              \
        uint bits = uint(v0 != 0) | uint(v1 != 0) << 1 | uint(v2 != 0) << 2 | uint(v3 != 0) << 3 |                     \
                    uint(v4 != 0) << 4 | uint(v5 != 0) << 5 | uint(v6 != 0) << 6 | uint(v7 != 0) << 7;                 \
        if (e < 4u) {                                                                                                  \
            nonzero.x |= bits << (8u * (e & 3u));                                                                      \
        } else {                                                                                                       \
            nonzero.y |= bits << (8u * (e & 3u));                                                                      \
        }                                                                                                              \
        if (bits != 0u) {                                                                                              \
            coefficients[8u * block + e] = uvec4(pair_of(v0, v1), pair_of(v2, v3), pair_of(v4, v5), pair_of(v6, v7));  \
        }                                                                                                              \
    }

void code_block(uint component, uint units_across, uint x, uint y) {
    uint across = component_fact(component, FACT_ACROSS);
    uint down = component_fact(component, FACT_DOWN);
    uint width = component_fact(component, FACT_BLOCKS_ACROSS);
    uint height = component_fact(component, FACT_BLOCKS_DOWN);
    uint plane = component_fact(component, FACT_PLANE);
    uint unit = y / down * units_across + x / across;
    uint block = fact(FACT_FIRST_BLOCK) + unit * fact(FACT_UNIT_BLOCKS) +
                 component_fact(component, FACT_FIRST_OF_UNIT) + y % down * across + x % across;
    bool fills = x >= width || y >= height;
    uint from_x = min(y >= height ? x / across * across + across - 1u : x, width - 1u); // the block before it in the unit
    uint at = plane + 8u * min(y, height - 1u) * width + from_x;
    transform_row(0, planes[at]);
    transform_row(8, planes[at + width]);
    transform_row(16, planes[at + 2u * width]);
    transform_row(24, planes[at + 3u * width]);
    transform_row(32, planes[at + 4u * width]);
    transform_row(40, planes[at + 5u * width]);
    transform_row(48, planes[at + 6u * width]);
    transform_row(56, planes[at + 7u * width]);
    transform_column(0);
    transform_column(1);
    transform_column(2);
    transform_column(3);
    transform_column(4);
    transform_column(5);
    transform_column(6);
    transform_column(7);
    int dc;
    nonzero = uvec2(0u);
    STORE(block, 0u, 0, 1, 8, 16, 9, 2, 3, 10)
    STORE(block, 1u, 17, 24, 32, 25, 18, 11, 4, 5)
    STORE(block, 2u, 12, 19, 26, 33, 40, 48, 41, 34)
    STORE(block, 3u, 27, 20, 13, 6, 7, 14, 21, 28)
    STORE(block, 4u, 35, 42, 49, 56, 57, 50, 43, 36)
    STORE(block, 5u, 29, 22, 15, 23, 30, 37, 44, 51)
    STORE(block, 6u, 58, 59, 52, 45, 38, 31, 39, 46)
    STORE(block, 7u, 53, 60, 61, 54, 47, 55, 62, 63)
    blocks[block] = uvec4(fills ? uvec2(0u) : nonzero, uint(dc), 0u);
}

void main() {
    picture = gl_WorkGroupID.z;
    uint component = gl_WorkGroupID.y;
    uint me = gl_LocalInvocationID.x;
    uint table = QUANTISATION + (component == 0u ? 0u : 128u) + 2u * me;
    s_quantisation[me] = uvec2(fact(table), fact(table + 1u));
    if (component == 0u && gl_WorkGroupID.x == 0u) {
        for (uint i = me; i < COUNTS; i += uint(GROUP)) {
            counts[picture * COUNTS + i] = 0u;
        }
    }
    wg_sync();
    if (component < fact(FACT_COMPONENTS)) {
        uint units_across = fact(FACT_UNITS_ACROSS);
        uint columns = units_across * component_fact(component, FACT_ACROSS);
        uint blocks_of_component = fact(FACT_UNITS) * component_fact(component, FACT_ACROSS) * component_fact(component, FACT_DOWN);
        uint index = gl_GlobalInvocationID.x;
        if (index < blocks_of_component) {
            code_block(component, units_across, index % columns, index / columns);
        }
    }
}
