#version 430 core
// Adaptive equalisation: replaces each code by its entries in the tables of the four tiles around the pixel, interpolated.
//
// Reads   i_src     rows of the image, beginning with row u_first_row
//         b_tables  clahe/tables.comp
// Writes  i_dst     the result; alpha is kept. With colours R, G and B are scaled by L'/L: L the exact luma, L' the interpolated
//                   entry of its code
// Group grid        covers the texels
// Shared bytes      none; invocations are independent, groups come in any order
// Source            see clahe/count.comp; the interpolation is OpenCV's, in single precision, product by product
//
// @define CHANNELS  1|2|4   as stored
// @define SRC_DEPTH 8|16    bits of a channel
#define DST_DEPTH SRC_DEPTH
#include "lib/texel.glsl"
#include "lib/put_lane.glsl"
#include "lib/luma.glsl"
#include "lib/whole.glsl"
#include "lib/luma_scaled.glsl"
#include "lib/code.glsl"

layout(local_size_x = 32, local_size_y = 8) in;

layout(rgba32ui) writeonly uniform uimage2D i_dst;
layout(std430) readonly buffer b_tables { uint tables[]; };

uniform int u_first_row;
uniform ivec2 u_tiles;
uniform vec4 u_per_tile; // 1 / width and 1 / height of a tile; the last two are not used
uniform float u_luma_scale; // bins / luma of white

#define BINS (1 << SRC_DEPTH)

// The last tile whose middle is not beyond the pixel, along one axis; -1 before the first. `share` is how far the pixel is from
// there to the next.
int tile_before(int at, float per_tile, out float share) {
    precise float scaled = float(at) * per_tile;
    precise float place = scaled - 0.5;
    float before = floor(place);
    precise float rest = place - before;
    share = rest;
    return int(before);
}

// Entries of the tiles left above, right above, left below and right below.
vec4 entries_of(uint code, ivec2 before) {
#if SRC_DEPTH == 8
    int place = (before.y + 1) * (u_tiles.x + 1) + before.x + 1;
    uint four = tables[uint(place * BINS) + code];
    return vec4(four & 255u, four >> 8 & 255u, four >> 16 & 255u, four >> 24);
#else
    ivec2 low = max(before, ivec2(0));
    ivec2 high = min(before + 1, u_tiles - 1);
    uvec4 tile = uvec4(ivec4(low.y, low.y, high.y, high.y) * u_tiles.x + ivec4(low.x, high.x, low.x, high.x));
    tile = tile * uint(BINS) + code;
    return vec4(tables[tile.x], tables[tile.y], tables[tile.z], tables[tile.w]);
#endif
}

uint mapped(uint code, ivec2 before, vec2 share) {
    vec4 entries = entries_of(code, before);
    precise vec2 other = 1.0 - share;
    precise float above_left = entries.x * other.x;
    precise float above_right = entries.y * share.x;
    precise float below_left = entries.z * other.x;
    precise float below_right = entries.w * share.x;
    precise float above = (above_left + above_right) * other.y;
    precise float below = (below_left + below_right) * share.y;
    precise float both = above + below;
    return code_of(both);
}

uvec4 mapped_pixel(uvec4 code, ivec2 before, vec2 share) {
#if CHANNELS == 4
    uint luma = whole_luma(code.rgb);
    uint entry = mapped(whole_bin(luma, u_luma.w, u_luma_scale, uint(BINS)), before, share);
    return luma == 0u ? code : scaled_to_luma(code, luma, entry);
#else
    code.x = mapped(code.x, before, share);
    return code;
#endif
}

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    uvec4 texel = imageLoad(i_src, at);
    uvec4 result = uvec4(0u);
    ivec2 before;
    vec2 share;
    before.y = min(tile_before(u_first_row + at.y, u_per_tile.y, share.y), u_tiles.y - 1);
    for (int p = 0; p < SRC_PIXELS; ++p) {
        before.x = min(tile_before(at.x * SRC_PIXELS + p, u_per_tile.x, share.x), u_tiles.x - 1);
        uvec4 code = uvec4(0u);
        for (int c = 0; c < CHANNELS; ++c) {
            code[c] = lane_bits(texel, p * CHANNELS + c);
        }
        code = mapped_pixel(code, before, share);
        for (int c = 0; c < CHANNELS; ++c) {
            put_lane(result, p * CHANNELS + c, code[c]);
        }
    }
    imageStore(i_dst, at, result);
}
