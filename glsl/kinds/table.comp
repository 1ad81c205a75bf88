#version 430 core
#pragma optionNV(unroll all)
// Every channel of a picture of 8 bits looked up by its code.
//
// Reads   i_src    the image
//         b_codes  the table that kinds/point_table.comp makes
// Writes  i_dst    the result, with the same channels
// Group grid       x covers the texels of a row, y the rows, ROWS an invocation
// Shared memory    1 KiB; groups come in any order.
//
// @define CHANNELS  1|2|4  as stored
// @define SRC_DEPTH 8
// @define ROWS      1|8    of an invocation; all are loaded before the first is looked up
// @define FETCHED   0|1    lib/texel.glsl
#include "lib/sync.glsl"
#include "lib/texel.glsl"

#if ROWS == 1 // a software renderer, whose vectors lie along x
layout(local_size_x = 32, local_size_y = 8) in;
#else
layout(local_size_x = 8, local_size_y = 32) in;
#endif

layout(std430) readonly buffer b_codes { uint codes[]; };

layout(rgba32ui) writeonly uniform uimage2D i_dst;

shared uint s_codes[256]; // the results of a code where they are in a word of the picture

// The results for a code, as kinds/point_table.comp stores them: red, green, blue and alpha.
uint by_lanes(uint results) {
#if CHANNELS == 1
    return (results & 255u) * 0x01010101u;
#elif CHANNELS == 2
    return (results & 255u) * 0x00010001u + (results >> 24) * 0x01000100u;
#else
    return results;
#endif
}

uint looked_up(uint word) {
    uint even = (s_codes[word & 255u] & 0x000000ffu) | (s_codes[word >> 16 & 255u] & 0x00ff0000u);
    uint odd = (s_codes[word >> 8 & 255u] & 0x0000ff00u) | (s_codes[word >> 24] & 0xff000000u);
    return even | odd;
}

void main() {
    const int height = int(gl_WorkGroupSize.y);
    int x = int(gl_GlobalInvocationID.x);
    int y = int(gl_WorkGroupID.y) * height * ROWS + int(gl_LocalInvocationID.y);
    uvec4 rows[ROWS];
    for (int i = 0; i < ROWS; ++i) {
        rows[i] = texel_at(ivec2(x, y + i * height));
    }
    s_codes[gl_LocalInvocationIndex] = by_lanes(codes[gl_LocalInvocationIndex]);
    wg_sync();
    for (int i = 0; i < ROWS; ++i) {
        uvec4 texel = uvec4(looked_up(rows[i].x), looked_up(rows[i].y), looked_up(rows[i].z), looked_up(rows[i].w));
        imageStore(i_dst, ivec2(x, y + i * height), texel);
    }
}
