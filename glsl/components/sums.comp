#version 430 core
// Connected components: exact sums over the pixels of each, in units of pixels; row 0 is the mask's row u_first_row.
//
// Reads    b_bits     the mask
//          b_parents  after components/number.comp
// Updates  b_sums     SUMS words for each of u_labels labels, beginning with u_first_label; all 0 before. In this
//                     order: area; largest ~x, x, ~y, y; the sums of x and of y, low word first; with MOMENTS the sums
//                     of x*x, x*y and y*y
// Group grid          x and y the blocks of 128 x 64 pixels; any order
// Shared bytes        16384, with MOMENTS 22528
// Source              none: sums. Blocks add up in a hash table; labels that find no place there go to b_sums at once. A run
//                     that touches no other is a component, whose sums are stored.
//
// @define EIGHT   0|1   lib/runs.glsl
// @define MOMENTS 0|1
#define WORDS 4u // of a row of a block
#define ROWS 64u
#define BLOCK_WIDTH 128u
#define GROUP 256
#define SLOTS 512u
layout(local_size_x = GROUP) in;
#include "lib/sync.glsl"
#include "lib/runs.glsl"

#if MOMENTS == 1
#define SUMS 15u
#define SLOT_SUMS 10u
#else
#define SUMS 9u
#define SLOT_SUMS 7u
#endif

layout(std430) readonly buffer b_bits { uint bits[]; };
layout(std430) readonly buffer b_parents { uint parents[]; };
#include "lib/run_labels.glsl"
layout(std430) buffer b_sums { uint sums[]; };

uniform uint u_rows;
uniform uint u_row_words;
uniform uint u_first_row;
uniform uint u_first_label;
uniform uint u_labels;

shared uint s_labels[SLOTS];
shared uint s_sums[SLOT_SUMS * SLOTS]; // sum s of a slot is word s * SLOTS + slot

// Sums in a block, counted from its first pixel.
struct Part {
    uint area;
    uint right; // the largest x, and so on
    uint not_left;
    uint bottom;
    uint not_top;
    uint x; // the sum, and so on
    uint y;
    uint xx;
    uint xy;
    uint yy;
};

uvec2 product(uint a, uint b) {
    uint high;
    uint low;
    umulExtended(a, b, high, low);
    return uvec2(low, high);
}

uvec2 plus(uvec2 a, uvec2 b) {
    uint carry;
    uint low = uaddCarry(a.x, b.x, carry);
    return uvec2(low, a.y + b.y + carry);
}

// Where there is no other part of the component, `is_all`, values are stored.
void raise(uint word, uint value, bool is_all) {
    if (is_all) {
        sums[word] = value;
    } else {
        atomicMax(sums[word], value);
    }
}

// The invocation that makes the low word pass 2^32 carries.
void add_long(uint word, uvec2 value, bool is_all) {
    if (is_all) {
        sums[word] = value.x;
        sums[word + 1u] = value.y;
    } else {
        uint before = atomicAdd(sums[word], value.x);
        uint high = value.y + (before + value.x < before ? 1u : 0u);
        if (high != 0u) {
            atomicAdd(sums[word + 1u], high);
        }
    }
}

// A block begins below 2^18, and has 2^13 pixels.
void add_to_all(uint label, Part part, bool is_all) {
    uint place = label - u_first_label;
    if (place >= u_labels) {
        return;
    }
    uint first = place * SUMS;
    uint x0 = gl_WorkGroupID.x * BLOCK_WIDTH;
    uint y0 = gl_WorkGroupID.y * ROWS;
    if (is_all) {
        sums[first] = part.area;
    } else {
        atomicAdd(sums[first], part.area);
    }
    raise(first + 1u, part.not_left - x0, is_all);
    raise(first + 2u, part.right + x0, is_all);
    raise(first + 3u, part.not_top - y0, is_all);
    raise(first + 4u, part.bottom + y0, is_all);
    add_long(first + 5u, uvec2(part.x + part.area * x0, 0u), is_all);
    add_long(first + 7u, uvec2(part.y + part.area * y0, 0u), is_all);
#if MOMENTS == 1
    add_long(first + 9u, plus(product(x0, part.area * x0 + 2u * part.x), uvec2(part.xx, 0u)), is_all);
    add_long(first + 11u, plus(product(x0, part.area * y0 + part.y), plus(product(y0, part.x), uvec2(part.xy, 0u))), is_all);
    add_long(first + 13u, plus(product(y0, part.area * y0 + 2u * part.y), uvec2(part.yy, 0u)), is_all);
#endif
}

// The slot of a label, or SLOTS. Slots are never freed, so that all parts of a label find one, or none does.
uint slot_of(uint label) {
    uint slot = (label * 2654435761u) >> 23;
    for (int turn = 0; turn < 4; ++turn) {
        uint before = s_labels[slot];
        if (before == 0u) {
            before = atomicCompSwap(s_labels[slot], 0u, label);
        }
        if (before == 0u || before == label) {
            return slot;
        }
        slot = (slot + 1u) % SLOTS;
    }
    return SLOTS;
}

void add(uint label, Part part) {
    uint slot = slot_of(label);
    if (slot == SLOTS) {
        add_to_all(label, part, false);
    } else {
        atomicAdd(s_sums[slot], part.area);
        atomicMax(s_sums[SLOTS + slot], part.not_left);
        atomicMax(s_sums[2u * SLOTS + slot], part.right);
        atomicMax(s_sums[3u * SLOTS + slot], part.not_top);
        atomicMax(s_sums[4u * SLOTS + slot], part.bottom);
        atomicAdd(s_sums[5u * SLOTS + slot], part.x);
        atomicAdd(s_sums[6u * SLOTS + slot], part.y);
#if MOMENTS == 1
        atomicAdd(s_sums[7u * SLOTS + slot], part.xx);
        atomicAdd(s_sums[8u * SLOTS + slot], part.xy);
        atomicAdd(s_sums[9u * SLOTS + slot], part.yy);
#endif
    }
}

Part part_of_slot(uint slot) {
    Part part;
    part.area = s_sums[slot];
    part.not_left = s_sums[SLOTS + slot];
    part.right = s_sums[2u * SLOTS + slot];
    part.not_top = s_sums[3u * SLOTS + slot];
    part.bottom = s_sums[4u * SLOTS + slot];
    part.x = s_sums[5u * SLOTS + slot];
    part.y = s_sums[6u * SLOTS + slot];
#if MOMENTS == 1
    part.xx = s_sums[7u * SLOTS + slot];
    part.xy = s_sums[8u * SLOTS + slot];
    part.yy = s_sums[9u * SLOTS + slot];
#else
    part.xx = 0u;
    part.xy = 0u;
    part.yy = 0u;
#endif
    return part;
}

// The sums of `length` pixels of row y, beginning at x.
Part part_of_run(uint x, uint y, uint length) {
    uint steps = length * (length - 1u) / 2u;                         // 0 + 1 + 2 …
    uint squares = steps * (2u * length - 1u) / 3u;                   // 0 + 1 + 4 …
    uint sum = length * x + steps;
    return Part(length, x + length - 1u, ~x, y, ~y, sum, length * y, x * (sum + steps) + squares, sum * y, length * y * y);
}

// Adds a later run of the same row.
void append(inout Part part, Part run) {
    part.area += run.area;
    part.right = run.right;
    part.x += run.x;
    part.y += run.y;
    part.xx += run.xx;
    part.xy += run.xy;
    part.yy += run.yy;
}

// The word of a row at a column; 0 beyond the mask.
uint word_at(uint row, uint column) {
    return row < u_rows && column < u_row_words ? bits[row * u_row_words + column] : 0u;
}

// Pixels of a word that touch a set pixel of another word. Few runs touch none where corners count.
uint touching(uint row, uint column) {
#if EIGHT == 1
    return 0xffffffffu;
#else
    uint beside = word_at(row, column - 1u) >> 31 | (word_at(row, column + 1u) & 1u) << 31;
    return word_at(row - 1u, column) | word_at(row + 1u, column) | beside;
#endif
}

// Runs of one word that have the same label are added up beforehand.
void add_word(uint row, uint column, uint x, uint y) {
    uint word = row * u_row_words + column;
    uint here = bits[word];
    uint touched = touching(row, column) & here;
    uint run = word * 16u;
    uint label = 0u;
    Part part = part_of_run(0u, 0u, 0u);
    for (uint starts = starts_of(here); starts != 0u; starts &= starts - 1u) {
        int begin = findLSB(starts);
        uint ends = ~(here >> begin); // 0 where the run fills the word
        Part found = part_of_run(x + uint(begin), y, ends == 0u ? 32u : uint(findLSB(ends)));
        uint its = label_of(run++);
        uint pixels = 0xffffffffu >> (32u - found.area) << begin;
        if ((touched & pixels) == 0u) {
            add_to_all(its, found, true);
        } else if (its == label) {
            append(part, found);
        } else {
            if (label != 0u) {
                add(label, part);
            }
            label = its;
            part = found;
        }
    }
    if (label != 0u) {
        add(label, part);
    }
}

void main() {
    for (uint i = gl_LocalInvocationIndex; i < SLOTS; i += uint(GROUP)) {
        s_labels[i] = 0u;
    }
    for (uint i = gl_LocalInvocationIndex; i < SLOT_SUMS * SLOTS; i += uint(GROUP)) {
        s_sums[i] = 0u;
    }
    wg_sync();
    uint x = gl_LocalInvocationIndex % WORDS;
    uint y = gl_LocalInvocationIndex / WORDS;
    uint column = gl_WorkGroupID.x * WORDS + x;
    uint row = gl_WorkGroupID.y * ROWS + y + u_first_row;
    if (column < u_row_words && row < u_rows) {
        add_word(row, column, x * 32u, y);
    }
    wg_sync();
    for (uint slot = gl_LocalInvocationIndex; slot < SLOTS; slot += uint(GROUP)) {
        if (s_labels[slot] != 0u) {
            add_to_all(s_labels[slot], part_of_slot(slot), false);
        }
    }
}
