#version 430 core
// JPEG, first kernel of the decoder: finds where codes begin in every subsequence of the entropy-coded data.
//
// An invocation decodes its subsequence as if a block of the MCU's first kind began there, and then the ones that
// follow. It stops once its state at the end of a subsequence is the state noted there, because its own decoding cannot
// differ after that. A subsequence that begins with the segment has the right states. By induction all states are right
// once nobody changes one. Each group begins with some subsequences of the group before, so that it nearly always knows
// the right state of its own first one; decode_scan.comp proves it.
//
// Reads   b_tables, b_bits   decode.glsl, decode_huffman.glsl
// Writes  b_ends    of each subsequence the state at its end: overshoot in bits (5), block of the MCU (4), coefficient
//                   (7). At FACT_GROUP_STARTS begin the states that each group but the first began with
//         b_sums    of each subsequence: blocks that end in it, sums of the DC differences of the first and second component
//                   (16 bits each, modulo 2^32) and of the third
//         b_flags   WRONG_SEARCH where that takes too long
// Group grid         x covers the subsequences by GROUP - OVERLAP, z is the picture; groups come in any order
// Shared bytes       21.6 KiB
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
shared uvec4 s_sums[GROUP];
shared uint s_changed[3]; // in this step, the one before and the next

struct State {
    uint bit;
    uint block; // of the MCU
    uint at;    // in the order of coefficients
};

// Decodes up to `end`, and returns the sums. A code that would reach beyond the segment is left.
uvec4 decode(inout State state, uint end, uint segment_end, uint base, uint unit_blocks) {
    Window window = window_at(base, state.bit);
    uint block = s_unit[state.block];
    uint blocks = 0u;
    int first_two = 0;
    int third = 0;
    while (state.bit < end) {
        uint next = look(window, state.bit);
        uint entry = entry_of(table_of(block, state.at), next);
        if (state.bit + bits_of(entry) > segment_end) {
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
            state.at = 0u;
            blocks++;
            state.block = state.block + 1u == unit_blocks ? 0u : state.block + 1u;
            block = s_unit[state.block];
        }
    }
    return uvec4(blocks, uint(first_two), uint(third), 0u);
}

// At the end of a subsequence; 31 bits where the segment ends within a code.
uint noted(State state, uint end) {
    return (state.bit >= end ? state.bit - end : 31u) | state.block << 5 | state.at << 9;
}

void main() {
    uint me = gl_LocalInvocationIndex;
    uint count = fact(FACT_SUBSEQUENCES);
    uint ends_at = fact(FACT_ENDS);
    uint base = fact(FACT_BITS);
    uint unit_blocks = fact(FACT_UNIT_BLOCKS);
    bool has_work = gl_WorkGroupID.x * (GROUP - OVERLAP) < count;
    if (has_work) {
        share_tables();
    }
    if (me < 3u) {
        s_changed[me] = 0u;
    }
    int own = int(gl_WorkGroupID.x * (GROUP - OVERLAP) + me) - int(OVERLAP);
    bool is_there = has_work && own >= 0 && own < int(count);
    wg_sync();
    uint segment_end = 0u;
    State state = State(0u, 0u, 0u);
    if (is_there) {
        uint segment = tables[fact(FACT_SEGMENT_OF) + uint(own)] & 0x7fffffffu;
        segment_end = tables[fact(FACT_SEGMENTS) + 4u * segment + 1u];
        state.bit = uint(own) * SUBSEQUENCE;
        uint end = min(uint(own + 1) * SUBSEQUENCE, segment_end);
        s_sums[me] = decode(state, end, segment_end, base, unit_blocks);
        s_ends[me] = noted(state, end);
    }
    wg_sync();
    bool goes_on = is_there;
    for (uint step = 1u; step <= MOST_STEPS; ++step) {
        uint other = me + step;
        uint begin = (uint(own) + step) * SUBSEQUENCE;
        goes_on = goes_on && other < GROUP && uint(own) + step < count && begin < segment_end;
        if (goes_on) {
            uint end = min(begin + SUBSEQUENCE, segment_end);
            uvec4 sum = decode(state, end, segment_end, base, unit_blocks);
            uint now = noted(state, end);
            if (now == s_ends[other]) {
                goes_on = false;
            } else {
                s_changed[step % 3u] = 1u;
            }
            s_ends[other] = now;
            s_sums[other] = sum;
        }
        if (me == 0u) {
            s_changed[(step + 1u) % 3u] = 0u;
        }
        wg_sync();
        if (s_changed[step % 3u] == 0u) {
            break;
        }
        if (step == MOST_STEPS && me == 0u) {
            atomicOr(flags[2u * PICTURE], WRONG_SEARCH);
        }
    }
    if (has_work && me == OVERLAP - 1u && gl_WorkGroupID.x > 0u) {
        ends[fact(FACT_GROUP_STARTS) + gl_WorkGroupID.x] = s_ends[me];
    }
    if (is_there && me >= OVERLAP) {
        ends[ends_at + uint(own)] = s_ends[me];
        sums[ends_at + uint(own)] = s_sums[me];
    }
}
