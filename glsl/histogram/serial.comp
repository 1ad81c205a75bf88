#version 430 core
// Histogram, variant serial: a single invocation loops over the pixels, as a CPU would. The host runs it
// for a few texels at a time, one dispatch after the other.
//
// Reads    i_src     texels u_first to u_end - 1 of the image, numbered row by row
// Updates  b_counts  the slots of lib/bins.glsl, cleared before the first dispatch
// Group grid         one group of one invocation, which needs no atomics
// Shared memory      none
//
// @define CHANNELS  1|2|4           as stored
// @define SRC_DEPTH 8|16|32         bits of a channel
// @define COUNTED   1|2|16|18|31    which channels are counted, lib/bins.glsl
// @define CODES     0|1             lib/bins.glsl
// @skip SRC_DEPTH=32 CODES=1
#include "lib/texel.glsl"
#include "lib/luma.glsl"
#include "lib/bins.glsl"

layout(local_size_x = 1) in;

layout(std430) buffer b_counts { uint counts[]; };

uniform uint u_row_texels;
uniform uint u_first;
uniform uint u_end;

void count(uint bin, uint place) {
    ++counts[slot_of(bin, place)];
}

void main() {
    for (uint n = u_first; n < u_end; ++n) {
        count_texel(ivec2(n % u_row_texels, n / u_row_texels));
    }
}
