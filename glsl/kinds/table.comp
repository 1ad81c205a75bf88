#version 430 core
#pragma optionNV(unroll all)
// Every channel of a picture of 8 bits looked up by its code.
//
// Reads   i_src    the image
//         b_codes  the table that kinds/point_table.comp makes
// Writes  i_dst    the result, with the same channels
// Shared memory    1 KiB; groups come in any order.
//
// @define CHANNELS  1|2|4  as stored
// @define SRC_DEPTH 8
// @define DST_DEPTH 8
// @define TABLES    1
#include "lib/sync.glsl"
#include "lib/texel.glsl"
#include "lib/put_lane.glsl"
#include "lib/tables.glsl"

layout(local_size_x = 32, local_size_y = 8) in;

layout(rgba32ui) writeonly uniform uimage2D i_dst;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    load_tables();
    uvec4 source = imageLoad(i_src, at);
    uvec4 result = uvec4(0u);
    for (int lane = 0; lane < SRC_LANES; ++lane) {
        int channel = CHANNELS == 2 && (lane & 1) == 1 ? 3 : lane & (CHANNELS - 1);
        put_lane(result, lane, code_in_table(0, lane_bits(source, lane), channel));
    }
    imageStore(i_dst, at, result);
}
