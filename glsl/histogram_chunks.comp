#version 430 core
// Histogram, first pass: each group counts a part of the image in shared memory and writes its counts as a
// chunk.
//
// A group of 256 walks u_chunk_texels texels that lie one after the other in reading order, 256 at a time.
// Where the slots (lib/bins.glsl) do not fit in shared memory, the groups of row y of the grid see the same
// texels again and count slots y x u_slice_slots … only.
//
// Reads   i_src     the image
// Writes  b_chunks  one chunk of u_slots counts for each group along x. A count is at most the number of
//                   pixels, which the host keeps below 2^32.
// Shared memory     4 x SLOTS bytes; groups are independent and come in any order.
// Source            V. Podlozhnyuk, Histogram calculation in CUDA, NVIDIA 2007: sub-histograms in shared
//                   memory.
//
// @define CHANNELS  1|2|4                 as stored
// @define SRC_DEPTH 8|16|32               bits of a channel
// @define COUNTED   1|2|14|15|16|18|31    which channels are counted, lib/bins.glsl
// @define SLOTS     1024|8192             size of the shared array, at least u_slice_slots
// @skip CHANNELS=1 COUNTED=1
// @skip CHANNELS=1 COUNTED=14
// @skip CHANNELS=1 COUNTED=15
// @skip CHANNELS=1 COUNTED=16
// @skip CHANNELS=1 COUNTED=18
// @skip CHANNELS=1 COUNTED=31
// @skip CHANNELS=2 COUNTED=1
// @skip CHANNELS=2 COUNTED=14
// @skip CHANNELS=2 COUNTED=15
// @skip CHANNELS=2 COUNTED=31
#include "lib/sync.glsl"
#include "lib/texel.glsl"
#include "lib/luma.glsl"

layout(local_size_x = 256) in;

layout(std430) writeonly buffer b_chunks { uint chunks[]; };

uniform uint u_slots;        // of a chunk
uniform uint u_slice_slots;  // of those, how many a group counts
uniform uint u_chunk_texels; // a multiple of 256
uniform uint u_row_texels;
uniform ivec2 u_step;        // 256 texels further in reading order: columns, rows

shared uint s_counts[SLOTS];

uint first_slot() {
    return gl_WorkGroupID.y * u_slice_slots;
}

uint slice_slots() {
    return min(u_slice_slots, u_slots - first_slot());
}

void count(uint slot) {
    uint at = slot - first_slot(); // slots of earlier slices wrap round and lie beyond as well
    if (at < slice_slots()) {
        atomicAdd(s_counts[at], 1u);
    }
}

#include "lib/bins.glsl"

void count_chunk() {
    uint first = gl_WorkGroupID.x * u_chunk_texels + gl_LocalInvocationID.x;
    ivec2 at = ivec2(first % u_row_texels, first / u_row_texels);
    for (uint n = 0u; n < u_chunk_texels; n += gl_WorkGroupSize.x) {
        if (at.y < u_size.y) {
            count_texel(at);
        }
        at += u_step;
        if (at.x >= int(u_row_texels)) {
            at += ivec2(-int(u_row_texels), 1);
        }
    }
}

void main() {
    uint id = gl_LocalInvocationID.x;
    for (uint s = id; s < slice_slots(); s += gl_WorkGroupSize.x) {
        s_counts[s] = 0u;
    }
    wg_sync();
    count_chunk();
    wg_sync();
    uint chunk = gl_WorkGroupID.x * u_slots + first_slot();
    for (uint s = id; s < slice_slots(); s += gl_WorkGroupSize.x) {
        chunks[chunk + s] = s_counts[s];
    }
}
