#version 430 core
// A picture moved, cut, widened or mirrored: pixels go to another place, bit for bit. An invocation makes a texel.
//
// Reads   i_src    a part of the source
// Writes  i_dst    a part of the result
// Shared memory    none; invocations are independent, groups come in any order.
//
// @define BORDER    0|1|2|3|4   lib/border.glsl
// @define SRC_DEPTH 8|16|32     bits of a pixel up to 32, else 32
// @define CHANNELS  1|2|4       how often that makes a pixel
// @skip SRC_DEPTH=8 CHANNELS=2
// @skip SRC_DEPTH=8 CHANNELS=4
// @skip SRC_DEPTH=16 CHANNELS=2
// @skip SRC_DEPTH=16 CHANNELS=4
#include "lib/run.glsl"

layout(rgba32ui) writeonly uniform uimage2D i_dst;

uniform ivec2 u_first; // the pixel of the source that is the first of i_dst
uniform ivec2 u_step;  // 1 or -1: which way the source is read

layout(local_size_x = 32, local_size_y = 8) in;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    ivec2 from = u_first + u_step * ivec2(at.x * SRC_PIXELS, at.y);
    imageStore(i_dst, at, u_step.x > 0 ? run_from(from) : run_back_from(from));
}
