#version 430 core
#pragma optionNV(unroll all)
// Equalisation: replaces every pixel by its entry in the look-up table.
//
// Reads   i_src  the image
//         b_lut  a table of 2^SRC_DEPTH entries for each colour channel (LUMA 0), or one for luma (LUMA 1)
// Writes  i_dst  the result; alpha is kept. LUMA 1 scales R, G and B by L'/L: L the exact luma, L' its table
//                entry.
// Shared memory  1 or 3 KiB with 8 bits, else none; groups come in any order.
// Source         R. Gonzalez and R. Woods, Digital Image Processing, 4th ed., 3.3 and 6.5.
//
// @define CHANNELS  1|2|4   as stored
// @define SRC_DEPTH 8|16    bits of a channel
// @define LUMA      0|1     each channel alone; by luma
// @skip CHANNELS=1 LUMA=1
// @skip CHANNELS=2 LUMA=1
#define DST_DEPTH SRC_DEPTH
#include "lib/sync.glsl"
#include "lib/texel.glsl"
#include "lib/put_lane.glsl"
#include "lib/luma.glsl"
#include "lib/whole.glsl"
#include "lib/luma_scaled.glsl"
#include "lib/lut.glsl"

#define GROUP_W 32
#define GROUP_H 8

layout(local_size_x = GROUP_W, local_size_y = GROUP_H) in;

layout(rgba32ui) writeonly uniform uimage2D i_dst;
layout(std430) readonly buffer b_lut { uint lut[]; };

uniform float u_luma_scale; // bins / luma of white

const uint largest = (1u << SRC_DEPTH) - 1u;
const int colours = CHANNELS == 4 ? 3 : 1;

#if SRC_DEPTH == 8
#define ENTRIES (LUMA == 1 ? 256 : colours * 256)

shared uint s_lut[ENTRIES];

uint entry_of(uint at) {
    return s_lut[at];
}
#else
uint entry_of(uint at) {
    return lut[at];
}
#endif

// Copies the table to shared memory. For all invocations at once.
void load_entries() {
#if SRC_DEPTH == 8
    for (uint at = gl_LocalInvocationIndex; at < uint(ENTRIES); at += GROUP_W * GROUP_H) {
        s_lut[at] = lut[at];
    }
    wg_sync();
#endif
}

uvec4 map_channels(uvec4 code) {
    for (int c = 0; c < colours; ++c) {
        uint entry = entry_of(uint(c) * (largest + 1u) + code[c]);
        code[c] = entry == KEEP ? code[c] : entry;
    }
    return code;
}

uvec4 map_luma(uvec4 code) {
    uint luma = whole_luma(code.rgb);
    uint entry = entry_of(whole_bin(luma, u_luma.w, u_luma_scale, largest + 1u));
    if (entry == KEEP || luma == 0u) {
        return code;
    }
    return scaled_to_luma(code, luma, entry);
}

void main() {
    load_entries();
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    uvec4 texel = imageLoad(i_src, at);
    uvec4 result = uvec4(0u);
    for (int p = 0; p < SRC_PIXELS; ++p) {
        uvec4 code = uvec4(0u);
        for (int c = 0; c < CHANNELS; ++c) {
            code[c] = lane_bits(texel, p * CHANNELS + c);
        }
#if LUMA == 1
        code = map_luma(code);
#else
        code = map_channels(code);
#endif
        for (int c = 0; c < CHANNELS; ++c) {
            put_lane(result, p * CHANNELS + c, code[c]);
        }
    }
    imageStore(i_dst, at, result);
}
