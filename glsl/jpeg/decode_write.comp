#version 430 core
// JPEG, third kernel of the decoder: decodes every subsequence from its proven state and writes the coefficients.
//
// Reads   b_tables, b_bits   decode.glsl, decode_huffman.glsl
//         b_ends, b_sums     as decode_scan.comp left them
// Updates b_coefficients  two of 16 bits a word, 64 a block in the order of rows and columns; zeros before. Blocks of a
//                         component lie in rows, as wide as its MCUs
//         b_flags         the faults found, and one more segment that came out whole
// Group grid         x covers the subsequences, z is the picture; groups come in any order
// Shared bytes       0.4 KiB
// Source             ITU T.81, F.2.2
#define GROUP 256u

layout(local_size_x = GROUP) in;

#include "lib/sync.glsl"
#include "jpeg/zigzag.glsl"
#include "jpeg/decode.glsl"
#include "jpeg/decode_huffman.glsl"

layout(std430) readonly buffer b_ends { uint ends[]; };
layout(std430) readonly buffer b_sums { uvec4 sums[]; };
layout(std430) buffer b_coefficients { uint coefficients[]; };
layout(std430) buffer b_flags { uint flags[]; };

shared uint s_zigzag[64];
// For each block of an MCU: its first coefficient in the first MCU, and how many blocks further on it lies in the next
// MCU and in the next row.
shared uint s_first[10];
shared uint s_across[10];
shared uint s_down[10];

void share_places() {
    uint me = gl_LocalInvocationIndex;
    if (me < 64u) {
        s_zigzag[me] = ZIGZAG[me];
    }
    if (me < fact(FACT_UNIT_BLOCKS)) {
        uint block = fact(FACT_UNIT + me);
        uint component = block & 3u;
        uint across = fact_of(component, PART_ACROSS);
        s_first[me] = fact_of(component, PART_BLOCK) + ((block >> 5) & 7u) * across + ((block >> 2) & 7u);
        s_across[me] = fact_of(component, PART_FACTOR_ACROSS);
        s_down[me] = fact_of(component, PART_FACTOR_DOWN) * across;
    }
}

void put(uint block, uint at, int value) {
    if (value != 0) {
        uint place = block * 64u + s_zigzag[at & 63u];
        atomicOr(coefficients[place >> 1], (uint(value) & 0xffffu) << ((place & 1u) * 16u));
    }
}

void decode(uint own) {
    uint unit_blocks = fact(FACT_UNIT_BLOCKS);
    uint units_across = fact(FACT_UNITS_ACROSS);
    uint ends_at = fact(FACT_ENDS);
    uint lookup = fact(FACT_LOOKUP);
    uint segment_of = tables[fact(FACT_SEGMENT_OF) + own];
    uint segment = fact(FACT_SEGMENTS) + 4u * (segment_of & 0x7fffffffu);
    uint segment_end = tables[segment + 1u];
    uint first_block = tables[segment + 2u];
    uint blocks = tables[segment + 3u];
    uint bit = own * SUBSEQUENCE;
    uint end = min(bit + SUBSEQUENCE, segment_end);
    uint in_unit = 0u;
    uint at = 0u;
    if (segment_of >> 31 == 0u) {
        uint state = ends[ends_at + own - 1u];
        bit += state & 31u;
        in_unit = (state >> 5) & 15u;
        at = state >> 9;
    }
    uvec4 sum = sums[ends_at + own];
    uint done = sum.x;
    if (done >= blocks) {
        return;
    }
    ivec3 dc;
    dc.x = int(sum.y << 16) >> 16;
    dc.y = int(sum.y - uint(dc.x)) >> 16;
    dc.z = int(sum.z);
    uint unit = (first_block + done) / unit_blocks;
    if (first_block + done - unit * unit_blocks != in_unit) { // `done` would not end it where the picture ends
        atomicOr(flags[2u * PICTURE], WRONG_BLOCK);
        return;
    }
    uint wrong = 0u;
    uvec2 place = uvec2(unit % units_across, unit / units_across);
    Window window = window_at(fact(FACT_BITS), bit);
    uint block = s_unit[in_unit];
    uint to = s_first[in_unit] + place.x * s_across[in_unit] + place.y * s_down[in_unit];
    uint first_of_picture = fact_of(0u, PART_BLOCK);
    uint picture_blocks = fact(FACT_BLOCKS);
    while (bit < end) {
        if (to - first_of_picture >= picture_blocks) { // whatever the data say: behind it lies another picture
            wrong |= WRONG_BLOCK;
            break;
        }
        uint next = look(window, bit);
        uint entry = entry_of(lookup, table_of(block, at), next);
        wrong |= (entry >> 30) != 0u ? WRONG_CODE : 0u;
        if (bit + bits_of(entry) > segment_end) {
            break;
        }
        bit += bits_of(entry);
        int value = value_of(next, entry);
        uint after = at + steps_of(entry);
        if (at == 0u) {
            uint component = block & 3u;
            dc += value * ivec3(equal(uvec3(component), uvec3(0u, 1u, 2u)));
            value = component == 0u ? dc.x : component == 1u ? dc.y : dc.z;
            wrong |= abs(value) > 16383 ? WRONG_DC : 0u;
        } else if (after > 64u && steps_of(entry) != 64u) {
            wrong |= WRONG_RUN;
            value = 0;
        }
        put(to, after - 1u, value);
        at = after;
        if (at >= 64u) {
            at = 0u;
            in_unit++;
            if (in_unit == unit_blocks) {
                in_unit = 0u;
                place.x++;
                if (place.x == units_across) {
                    place = uvec2(0u, place.y + 1u);
                }
            }
            block = s_unit[in_unit];
            done++;
            if (done == blocks) {
                if (segment_end - bit < 8u) {
                    atomicAdd(flags[2u * PICTURE + 1u], 1u);
                } else {
                    wrong |= WRONG_END;
                }
                break;
            }
            to = s_first[in_unit] + place.x * s_across[in_unit] + place.y * s_down[in_unit];
        }
    }
    if (wrong != 0u) {
        atomicOr(flags[2u * PICTURE], wrong);
    }
}

void main() {
    uint own = gl_GlobalInvocationID.x;
    uint count = fact(FACT_SUBSEQUENCES);
    if (gl_WorkGroupID.x * GROUP < count) {
        share_unit();
        share_places();
    }
    wg_sync();
    if (own < count) {
        decode(own);
    }
}
