#version 430 core
// JPEG, fourth kernel of the decoder: dequantises blocks and transforms them back, as libjpeg's jpeg_idct_islow does, or
// jpeg_idct_4x4, jpeg_idct_2x2 and jpeg_idct_1x1 for fractions of the picture.
//
// libjpeg's versions for vector units calculate with 16 bits here and there, the C version with 32. If a value could
// differ between them, the picture is left to the CPU.
//
// Reads   b_tables        decode.glsl
//         b_coefficients  as decode_write.comp wrote them
// Writes  b_samples       four a word, in rows of blocks
// Updates b_flags         WRONG_RANGE
// Group grid         32 blocks a group, in x and then y; z is the picture; groups come in any order
// Shared bytes       9 KiB
// Source             C. Loeffler, A. Ligtenberg, G. Moschytz, Practical fast 1-D DCT algorithms with 11 multiplications,
//                    ICASSP 1989; of fractions: IJG's jidctred.c
//
// @define SCALED 0|1   of some pictures blocks become 4 x 4, 2 x 2 or one sample
#define GROUP 256u
#define BLOCKS 32u
#define ROW 9u    // words of a block's row, one more than needed: neighbours lie in different banks
#define BLOCK 72u // 8 rows

layout(local_size_x = GROUP) in;

#include "lib/sync.glsl"
#include "lib/group.glsl"
#include "jpeg/decode.glsl"

layout(std430) readonly buffer b_coefficients { uint coefficients[]; };
layout(std430) writeonly buffer b_samples { uint samples[]; };
layout(std430) buffer b_flags { uint flags[]; };

shared int s_block[BLOCKS * BLOCK];

// The constants are multiples of 2^-13. The sums are rounded by 2^-shift.
void transform(inout ivec4 low, inout ivec4 high, int shift) { // values 0 to 3, and 4 to 7
    int z = (low[2] + high[2]) * 4433;
    ivec2 even = ivec2(z - high[2] * 15137, z + low[2] * 6270);
    ivec2 ends = ivec2(low[0] + high[0], low[0] - high[0]) << 13;
    ivec4 sums = ivec4(ends.x + even.y, ends.y + even.x, ends.y - even.x, ends.x - even.y);
    ivec4 odd = ivec4(high[3], high[1], low[3], low[1]);
    ivec4 pairs = ivec4(odd[0] + odd[3], odd[1] + odd[2], odd[0] + odd[2], odd[1] + odd[3]);
    int both = (pairs[2] + pairs[3]) * 9633;
    odd *= ivec4(2446, 16819, 25172, 12299);
    pairs *= ivec4(-7373, -20995, -16069, -3196);
    pairs[2] += both;
    pairs[3] += both;
    odd += ivec4(pairs[0] + pairs[2], pairs[1] + pairs[3], pairs[1] + pairs[2], pairs[0] + pairs[3]);
    int half_unit = 1 << (shift - 1);
    low = (sums + odd.wzyx + half_unit) >> shift;
    high = ((sums - odd.wzyx + half_unit) >> shift).wzyx;
}

// The same for four values of the eight, without coefficient 4.
ivec4 transform_to_4(ivec4 low, ivec4 high, int shift) {
    int even = low[2] * 15137 - high[2] * 6270;
    ivec2 sums = (low[0] << 14) + ivec2(even, -even);
    ivec2 odd = low[1] * ivec2(20995, 8697) + low[3] * ivec2(7373, -17799) + high[1] * ivec2(-4926, 11893) -
                high[3] * ivec2(4176, 1730);
    return (ivec4(sums + odd, (sums - odd).yx) + (1 << (shift - 1))) >> shift;
}

// For two, without coefficients 2, 4 and 6.
ivec2 transform_to_2(ivec4 low, ivec4 high, int shift) {
    int odd = low[1] * 29692 - low[3] * 10426 + high[1] * 6967 - high[3] * 5906;
    return ((low[0] << 15) + ivec2(odd, -odd) + (1 << (shift - 1))) >> shift;
}

// `shift` is for a whole block.
void transform(inout ivec4 low, inout ivec4 high, int shift, uint size) {
    if (size == 3u) {
        transform(low, high, shift);
        return;
    }
    if (size == 2u) {
        low = transform_to_4(low, high, shift + 1);
    } else if (size == 1u) {
        low = ivec4(transform_to_2(low, high, shift + 2), 0, 0);
    } else { // the mean, which both passes together divide by 8
        low = ivec4(shift > 13 ? (low[0] + 4) >> 3 : low[0], 0, 0, 0);
    }
    high = ivec4(0);
}

bool is_beyond(ivec4 low, ivec4 high, int most) {
    return any(greaterThan(abs(low), ivec4(most))) || any(greaterThan(abs(high), ivec4(most)));
}

uint component_of(uint block) { // counted from the first of the picture
    uint count = fact(FACT_COMPONENTS);
    uint base = fact_of(0u, PART_BLOCK);
    return count > 2u && block + base >= fact_of(2u, PART_BLOCK) ? 2u : count > 1u && block + base >= fact_of(1u, PART_BLOCK) ? 1u : 0u;
}

// Samples across a block, as a power of 2.
uint size_of(uint component) {
    return SCALED == 1 ? fact_of(component, PART_SIZE) : 3u;
}

uint samples_of(ivec4 values) {
    ivec4 codes = clamp(values + 128, 0, 255);
    return uint(codes.x | codes.y << 8 | codes.z << 16 | codes.w << 24);
}

void load_blocks(uint first, uint total) {
    for (uint k = gl_LocalInvocationIndex; k < BLOCKS * 32u; k += GROUP) {
        uint block = first + (k >> 5);
        uint pair = k & 31u;
        uint word = block < total ? coefficients[(fact_of(0u, PART_BLOCK) + block) * 32u + pair] : 0u;
        uint factors = fact(FACT_QUANTISATION) + component_of(block) * 64u + pair * 2u;
        uint to = (k >> 5) * BLOCK + (pair >> 2) * ROW + (pair & 3u) * 2u;
        s_block[to] = (int(word << 16) >> 16) * int(tables[factors]);
        s_block[to + 1u] = (int(word) >> 16) * int(tables[factors + 1u]);
    }
}

// A line of a block goes to its place.
void store(uint block, uint component, uint line, ivec4 low, ivec4 high) {
    uint size = size_of(component);
    uint across = fact_of(component, PART_ACROSS);
    uint own = block + fact_of(0u, PART_BLOCK) - fact_of(component, PART_BLOCK);
    uint words = size == 3u ? 2u : 1u;
    uint to = fact_of(component, PART_SAMPLES) + (((own / across << size) + line) * across + own % across) * words;
    if (line < 1u << size) {
        samples[to] = samples_of(low);
    }
    if (size == 3u) {
        samples[to + 1u] = samples_of(high);
    }
}

void main() {
    uint total = fact(FACT_BLOCKS);
    uint first = linear_group() * BLOCKS;
    if (first < total) {
        load_blocks(first, total);
    }
    wg_sync();
    uint block = first + (gl_LocalInvocationIndex >> 3);
    uint component = component_of(block);
    uint size = size_of(component);
    uint at = (gl_LocalInvocationIndex >> 3) * BLOCK;
    uint line = gl_LocalInvocationIndex & 7u;
    ivec4 low = ivec4(s_block[at + line], s_block[at + ROW + line], s_block[at + 2u * ROW + line], s_block[at + 3u * ROW + line]);
    ivec4 high = ivec4(s_block[at + 4u * ROW + line], s_block[at + 5u * ROW + line], s_block[at + 6u * ROW + line],
                       s_block[at + 7u * ROW + line]);
    bool is_wrong = is_beyond(low, high, 16383);
    transform(low, high, 11, size);
    is_wrong = is_wrong || is_beyond(low, high, 16383);
    for (uint k = 0u; k < 4u; ++k) {
        s_block[at + k * ROW + line] = low[k];
        s_block[at + (k + 4u) * ROW + line] = high[k];
    }
    wg_sync();
    at += line * ROW;
    low = ivec4(s_block[at], s_block[at + 1u], s_block[at + 2u], s_block[at + 3u]);
    high = ivec4(s_block[at + 4u], s_block[at + 5u], s_block[at + 6u], s_block[at + 7u]);
    transform(low, high, 18, size);
    if (block < total) {
        is_wrong = is_wrong || is_beyond(low, high, 511); // beyond 511 + 128 the table of C begins anew
        store(block, component, line, low, high);
        if (is_wrong) {
            atomicOr(flags[2u * PICTURE], WRONG_RANGE);
        }
    }
}
