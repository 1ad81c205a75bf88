#version 430 core
// Histogram, variant global_atomic: one invocation for each texel adds its pixels to the bins in a storage buffer.
// ATOMIC 0 leaves counting to chance, and shows what a histogram loses if additions are not atomic.
//
// Reads    i_src     the image
// Updates  b_counts  the slots of lib/bins.glsl, cleared before
// Group grid         covers the texels
// Shared memory      none; invocations are independent.
//
// @define CHANNELS  1|2|4           as stored
// @define SRC_DEPTH 8|16|32         bits of a channel
// @define COUNTED   1|2|16|18|31    which channels are counted, lib/bins.glsl
// @define ATOMIC    0|1             whether additions are atomic
// @define CODES     0|1             lib/bins.glsl
// @skip SRC_DEPTH=32 CODES=1
#include "lib/texel.glsl"
#include "lib/luma.glsl"
#include "lib/bins.glsl"

layout(local_size_x = 16, local_size_y = 16) in;

layout(std430) buffer b_counts { uint counts[]; };

void count(uint bin, uint place) {
    uint slot = slot_of(bin, place);
#if ATOMIC == 1
    atomicAdd(counts[slot], 1u);
#else
    counts[slot] += 1u;
#endif
}

void main() {
    count_texel(ivec2(gl_GlobalInvocationID.xy));
}
