#version 430 core
// The values of chosen pixels.
//
// Reads   i_src      the picture: its first channel
//         b_places   column and row of each pixel
// Writes  b_values   the bits of each value
// Group grid         lib/group.glsl, an invocation a pixel; any order
// Shared bytes       none
//
// @define CHANNELS  1|2       as stored
// @define SRC_DEPTH 8|16|32   bits of a channel
#include "lib/texel.glsl"

layout(local_size_x = 64) in;
#include "lib/group.glsl"

layout(std430) readonly buffer b_places { uvec2 places[]; };
layout(std430) writeonly buffer b_values { uint values[]; };

uniform uint u_count;

void main() {
    uint i = linear_invocation();
    if (i < u_count) {
        ivec2 place = ivec2(places[i]);
        uvec4 texel = texel_at(ivec2(place.x / SRC_PIXELS, place.y));
        values[i] = lane_bits(texel, place.x % SRC_PIXELS * CHANNELS);
    }
}
