#version 430 core
// Histogram, second pass of shared_reduce: adds chunks in pairs, in place. Run with strides 1, 2, 4 … until
// one chunk is left: the first.
//
// Chunks 0, stride, 2 stride … are left. Pair i adds chunk (2i + 1) stride to chunk 2i stride; a last chunk
// without a partner stays as it is, so that any number of chunks will do.
//
// Updates b_chunks  chunks of u_slots counts
// Group grid        x covers the slots, y is the number of pairs
// Shared memory     none; invocations are independent, groups come in any order.
// Source            parallel reduction as in M. Harris, Optimizing Parallel Reduction in CUDA, NVIDIA 2007.

layout(local_size_x = 256) in;

layout(std430) buffer b_chunks { uint chunks[]; };

uniform uint u_slots;
uniform uint u_stride; // chunks

void main() {
    uint slot = gl_GlobalInvocationID.x;
    uint to = 2u * gl_WorkGroupID.y * u_stride;
    if (slot < u_slots) {
        chunks[to * u_slots + slot] += chunks[(to + u_stride) * u_slots + slot];
    }
}
