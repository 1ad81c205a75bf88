// Walks through the symbols of a block, in the order of the scan (ITU T.81, F.1.2), and calls take(place, bits, count)
// for each. That function is defined before this is included. `place` is as in jpeg/encode_symbols.glsl, and `count`
// bits follow the symbol.
layout(std430) readonly buffer b_coefficients { uint coefficients[]; };
layout(std430) readonly buffer b_blocks { uvec4 blocks[]; };

// Which units and blocks a work group has: GROUP_BLOCKS is a multiple of the blocks of any unit. Neighbouring
// invocations have the same block of neighbouring units, as these take about as long.
#define GROUP_BLOCKS 252u

uint size_of(int value) {
    return uint(findMSB(abs(value)) + 1);
}

uint bits_of(int value, uint size) {
    return uint(value + (value >> 31)) & ((1u << size) - 1u); // 1 less where it is negative
}

// The places of symbols begin at `symbols`.
void walk_ac(uint block, uvec2 left, uint symbols) {
    const uint run_of_16 = 0xf0u;
    uint last = 0u;
    for (uint i = 0u; i < 63u && (left.x | left.y) != 0u; ++i) {
        bool in_first = left.x != 0u;
        uint word = in_first ? left.x : left.y;
        uint k = uint(findLSB(word)) + (in_first ? 0u : 32u);
        left = in_first ? uvec2(word & (word - 1u), left.y) : uvec2(0u, word & (word - 1u));
        int value = bitfieldExtract(int(coefficients[32u * block + k / 2u]), int(16u * (k & 1u)), 16);
        uint run = k - last - 1u;
        for (; run > 15u; run -= 16u) {
            take(symbols + run_of_16, 0u, 0u);
        }
        uint size = size_of(value);
        take(symbols + (run << 4 | size), bits_of(value, size), size);
        last = k;
    }
    if (last != 63u) { // the rest is zero
        take(symbols, 0u, 0u);
    }
}

// `place` is the block's place in its unit of `unit_blocks`; the first `luma` blocks of a unit are luma. DC is coded as
// the difference from the block before of the same component, if the strip has one.
void walk(uint block, uint place, uint unit_blocks, uint luma, bool begins_strip) {
    bool is_luma = place < luma;
    uint before = block - (!is_luma ? unit_blocks : place > 0u ? 1u : unit_blocks - luma + 1u);
    bool is_first = begins_strip && (place == 0u || !is_luma);
    uvec4 me = blocks[block];
    int difference = int(me.z) - (is_first ? 0 : int(blocks[is_first ? block : before].z));
    uint size = size_of(difference);
    uint symbols = is_luma ? LUMA_SYMBOLS : COLOUR_SYMBOLS;
    take(symbols + size, bits_of(difference, size), size);
    walk_ac(block, me.xy, symbols + DC_SYMBOLS);
}
