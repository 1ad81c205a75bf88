#version 430 core
// Histogram, second pass of shared_sum: one group adds all chunks, one invocation a slot.
//
// Reads   b_chunks  u_chunks chunks of u_slots counts
// Writes  b_counts  u_slots counts
// Group grid        one group; where there are more slots than invocations, each takes several.
// Shared memory     none; invocations are independent.
// Source            V. Podlozhnyuk, Histogram calculation in CUDA, NVIDIA 2007: merging sub-histograms.

layout(local_size_x = 1024) in;

layout(std430) readonly buffer b_chunks { uint chunks[]; };
layout(std430) writeonly buffer b_counts { uint counts[]; };

uniform uint u_slots;
uniform uint u_chunks;

void main() {
    for (uint slot = gl_LocalInvocationID.x; slot < u_slots; slot += gl_WorkGroupSize.x) {
        uint sum = 0u;
        for (uint chunk = 0u; chunk < u_chunks; ++chunk) {
            sum += chunks[chunk * u_slots + slot];
        }
        counts[slot] = sum;
    }
}
