#version 430 core
// JPEG, first kernel of the decoder: finds where codes begin in every subsequence of the entropy-coded data.
//
// An invocation decodes its subsequence as if a block of the MCU's first kind began there. Then each subsequence is
// decoded again from the state at the end of the one before it, in steps, until no state changes. A subsequence that
// begins with the segment has the right states. By induction all states are right once nobody changes one. Few
// subsequences are left after two steps, so each step gives those to the first invocations of the group. Each group
// begins with some subsequences of the group before, so that it nearly always knows the right state of its own first
// one; decode_scan.comp proves it.
//
// Reads   b_tables, b_bits   decode.glsl, decode_huffman.glsl
// Writes  b_ends    of each subsequence the state at its end: overshoot in bits (5), block of the MCU (4), coefficient
//                   (7). At FACT_GROUP_STARTS begin the states that each group but the first began with
//         b_sums    of each subsequence: blocks that end in it, sums of the DC differences of the first and second component
//                   (16 bits each, modulo 2^32) and of the third
//         b_flags   WRONG_SEARCH where that takes too long
// Group grid         x covers the subsequences by GROUP - OVERLAP, z is the picture; groups come in any order
// Shared bytes       3.1 KiB
// Source             A. Weissenberger, B. Schmidt, Massively Parallel Huffman Decoding on GPUs, ICPP 2018
#define GROUP 256u
#define OVERLAP 32u    // subsequences of the group before
#define MOST_STEPS 64u // real pictures took 25 at most, 167 of them, 2026-11-23

layout(local_size_x = GROUP) in;

#include "lib/sync.glsl"
#include "jpeg/decode.glsl"
#include "jpeg/decode_huffman.glsl"

layout(std430) writeonly buffer b_ends { uint ends[]; };
layout(std430) writeonly buffer b_sums { uvec4 sums[]; };
layout(std430) buffer b_flags { uint flags[]; };

shared uint s_ends[GROUP];
// Subsequences to decode from a new state: their place in the group (from bit 16) and that state. Two lists in turn.
shared uint s_open[2u * GROUP];
shared uint s_count[3]; // of the list of this step, the next and the one before

struct State {
    uint bit;
    uint block; // of the MCU
    uint at;    // in the order of coefficients
};

// A subsequence, and the state to decode it from.
struct Part {
    State state;
    uint end;
    uint segment_end;
};

uint first_of_group() { // huge, as if negative, in the first group
    return gl_WorkGroupID.x * (GROUP - OVERLAP) - OVERLAP;
}

// The subsequence at a place in the group, from the noted state at the end of the one before.
Part part_at(uint place, uint before) {
    uint subsequence = first_of_group() + place;
    uint segment = tables[fact(FACT_SEGMENT_OF) + subsequence] & 0x7fffffffu;
    uint segment_end = tables[fact(FACT_SEGMENTS) + 4u * segment + 1u];
    uint begin = subsequence * SUBSEQUENCE;
    State state = State(begin + (before & 31u), (before >> 5) & 15u, before >> 9);
    return Part(state, min(begin + SUBSEQUENCE, segment_end), segment_end);
}

void leave_block(inout State state, inout uint block, uint unit_blocks) {
    state.at = 0u;
    state.block = state.block + 1u == unit_blocks ? 0u : state.block + 1u;
    block = s_unit[state.block];
}

// The state at the end; its overshoot is 31 if the segment ends within a code. A code that would reach beyond the
// segment is left.
uint end_of(Part part) {
    uint lookup = fact(FACT_LOOKUP);
    uint unit_blocks = fact(FACT_UNIT_BLOCKS);
    State state = part.state;
    Window window = window_at(fact(FACT_BITS), state.bit);
    uint block = s_unit[state.block];
    while (state.bit < part.end) {
        uint entry = entry_of(lookup, table_of(block, state.at), look(window, state.bit));
        if (state.bit + bits_of(entry) > part.segment_end) {
            break;
        }
        state.bit += bits_of(entry);
        state.at += steps_of(entry);
        if (state.at >= 64u) {
            leave_block(state, block, unit_blocks);
        }
    }
    return (state.bit >= part.end ? state.bit - part.end : 31u) | state.block << 5 | state.at << 9;
}

// The sums, as b_sums has them. The search is faster without them.
uvec4 sums_of(Part part) {
    uint lookup = fact(FACT_LOOKUP);
    uint unit_blocks = fact(FACT_UNIT_BLOCKS);
    State state = part.state;
    Window window = window_at(fact(FACT_BITS), state.bit);
    uint block = s_unit[state.block];
    uint blocks = 0u;
    int first_two = 0;
    int third = 0;
    while (state.bit < part.end) {
        uint next = look(window, state.bit);
        uint entry = entry_of(lookup, table_of(block, state.at), next);
        if (state.bit + bits_of(entry) > part.segment_end) {
            break;
        }
        state.bit += bits_of(entry);
        if (state.at == 0u) {
            int value = value_of(next, entry);
            first_two += value * int(block >> 12 & 1u) + (value * int(block >> 13 & 1u) << 16);
            third += value * int(block >> 14 & 1u);
        }
        state.at += steps_of(entry);
        if (state.at >= 64u) {
            leave_block(state, block, unit_blocks);
            blocks++;
        }
    }
    return uvec4(blocks, uint(first_two), uint(third), 0u);
}

bool begins_segment(uint subsequence) {
    return tables[fact(FACT_SEGMENT_OF) + subsequence] >> 31 != 0u;
}

// Notes a new state at the end of a subsequence. If the next subsequence is in the group and the segment, it is to be
// decoded from there in this step.
void note(uint place, uint state, uint step) {
    s_ends[place] = state;
    uint behind = first_of_group() + place + 1u;
    if (place + 1u < GROUP && behind < fact(FACT_SUBSEQUENCES) && !begins_segment(behind)) {
        s_open[(step & 1u) * GROUP + atomicAdd(s_count[step % 3u], 1u)] = (place + 1u) << 16 | state;
    }
}

void main() {
    uint me = gl_LocalInvocationIndex;
    uint count = fact(FACT_SUBSEQUENCES);
    uint own = first_of_group() + me;
    bool has_work = gl_WorkGroupID.x * (GROUP - OVERLAP) < count;
    bool is_there = has_work && own < count;
    if (has_work) {
        share_unit();
    }
    if (me < 3u) {
        s_count[me] = 0u;
    }
    wg_sync();
    if (is_there) {
        note(me, end_of(part_at(me, 0u)), 0u);
    }
    wg_sync();
    uint step = 0u;
    while (step < MOST_STEPS && s_count[step % 3u] > 0u) {
        if (me < s_count[step % 3u]) {
            uint open = s_open[(step & 1u) * GROUP + me];
            uint place = open >> 16;
            uint state = end_of(part_at(place, open & 0xffffu));
            if (state != s_ends[place]) {
                note(place, state, step + 1u);
            }
        }
        if (me == 0u) {
            s_count[(step + 2u) % 3u] = 0u;
        }
        wg_sync();
        step++;
    }
    if (me == 0u && s_count[step % 3u] > 0u) {
        atomicOr(flags[2u * PICTURE], WRONG_SEARCH);
    }
    if (has_work && me == OVERLAP - 1u && gl_WorkGroupID.x > 0u) {
        ends[fact(FACT_GROUP_STARTS) + gl_WorkGroupID.x] = s_ends[me];
    }
    if (is_there && me >= OVERLAP) {
        uint before = begins_segment(own) ? 0u : s_ends[me - 1u];
        ends[fact(FACT_ENDS) + own] = s_ends[me];
        sums[fact(FACT_ENDS) + own] = sums_of(part_at(me, before));
    }
}
