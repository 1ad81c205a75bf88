// Reads Huffman codes (T.81, F.2.2) from the bits of a subsequence. Needs GROUP, the invocations of a group.
//
// An entry of a table. Bits 0 to 4: the bits that code and value take together. Bits 5 to 8: the bits of the value
// alone. Bits 9 to 15: the steps in the order of coefficients. With bit 30 there is no such code. With bit 31 the lower
// 16 bits name a table of 64 for the bits that follow.
#define SUBSEQUENCE 1024u // bits
#define TABLE 1024u       // words

layout(std430) readonly buffer b_bits { uint bits[]; };

shared uint s_unit[10];

void share_unit() {
    if (gl_LocalInvocationIndex < 10u) {
        s_unit[gl_LocalInvocationIndex] = fact(FACT_UNIT + gl_LocalInvocationIndex);
    }
}

// The bits lie in the order of the file, the first in the highest bit of a byte.
uint word_at(uint i) {
    uint x = bits[i];
    return (x << 24) | ((x & 0xff00u) << 8) | ((x >> 8) & 0xff00u) | (x >> 24);
}

// A window on the bits: three words; the next bit is in the first of them.
struct Window {
    uint base; // of the picture, in words
    uint word;
    uint first;
    uint second;
    uint third;
};

Window window_at(uint base, uint bit) {
    uint word = bit >> 5;
    return Window(base, word, word_at(base + word), word_at(base + word + 1u), word_at(base + word + 2u));
}

// The next 32 bits, beginning at `bit`, which is in the window or right behind it.
uint look(inout Window window, uint bit) {
    if ((bit >> 5) != window.word) {
        window.word++;
        window.first = window.second;
        window.second = window.third;
        window.third = word_at(window.base + window.word + 2u);
    }
    uint shift = bit & 31u;
    return (window.first << shift) | ((window.second >> 1) >> (31u - shift));
}

// `lookup` is where the picture's tables lie.
uint entry_of(uint lookup, uint table, uint next) {
    uint entry = tables[lookup + table * TABLE + (next >> 22)];
    if (entry >= 0x80000000u) {
        entry = tables[lookup + 4u * TABLE + (entry & 0xffffu) * 64u + ((next >> 16) & 63u)];
    }
    return entry;
}

uint bits_of(uint entry) {
    return entry & 31u;
}

uint steps_of(uint entry) {
    return (entry >> 9) & 127u;
}

// The table of a block's next symbol, `at` being its place in the order of coefficients.
uint table_of(uint block, uint at) {
    return at == 0u ? (block >> 8) & 3u : (block >> 10) & 3u;
}

// T.81, F.2.2.1: the values of a size are numbered upwards from the lowest negative one.
int value_of(uint next, uint entry) {
    uint size = (entry >> 5) & 15u;
    uint code = bits_of(entry) - size;
    int raw = int(((next << code) >> 1) >> (31u - size));
    int half_range = (1 << size) >> 1;
    return raw < half_range ? raw - (1 << size) + 1 : raw;
}
