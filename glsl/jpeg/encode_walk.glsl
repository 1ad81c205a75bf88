// The symbols of a block, in the order of the scan (ITU T.81, F.1.2). Calls take(table, symbol, bits, count) for each, which
// is defined before this is included: `count` bits follow the symbol. Tables are numbered 2 x number + class, with number 0
// for luma and 1 for colour, and class 0 for DC and 1 for AC.
layout(std430) readonly buffer b_coefficients { uint coefficients[]; };
layout(std430) readonly buffer b_blocks { uvec4 blocks[]; };

// Which units and blocks a work group has: GROUP_BLOCKS is a multiple of the blocks of any unit. Neighbouring invocations
// have the same block of neighbouring units, as those take about as long.
#define GROUP_BLOCKS 252u

uint group_units() {
    return GROUP_BLOCKS / fact(FACT_UNIT_BLOCKS);
}

uint size_of(int value) {
    return uint(findMSB(abs(value)) + 1);
}

uint bits_of(int value, uint size) {
    return uint(value < 0 ? value - 1 : value) & ((1u << size) - 1u);
}

void walk_ac(uint block, uvec2 left, uint table) {
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
            take(table, run_of_16, 0u, 0u);
        }
        uint size = size_of(value);
        take(table, run << 4 | size, bits_of(value, size), size);
        last = k;
    }
    if (last != 63u) { // the rest is zero
        take(table, 0u, 0u, 0u);
    }
}

// `place` is that in its unit. DC is told by the difference to the block before of the same component, if the strip has one.
void walk(uint block, uint place, bool begins_strip) {
    uint luma = luma_blocks();
    bool is_luma = place < luma;
    uint before = block - (!is_luma ? fact(FACT_UNIT_BLOCKS) : place > 0u ? 1u : fact(FACT_UNIT_BLOCKS) - luma + 1u);
    bool is_first = begins_strip && (place == 0u || !is_luma);
    uvec4 me = blocks[block];
    int difference = int(me.z) - (is_first ? 0 : int(blocks[is_first ? block : before].z));
    uint size = size_of(difference);
    uint table = is_luma ? 0u : 2u;
    take(table, size, bits_of(difference, size), size);
    walk_ac(block, me.xy, table + 1u);
}
