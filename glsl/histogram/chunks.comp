#version 430 core
// Histogram, first pass of shared_sum and shared_reduce: each group counts a part of the image in shared
// memory and writes its counts as a chunk.
//
// A group walks (lib/walk.glsl) u_chunk_columns columns of texels that lie one after the other, GROUP_W at a
// time, and counts one slice of the slots (lib/slice.glsl).
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
// @define CODES     0|1                   lib/bins.glsl
// @define SLOTS     1024|8192             size of the shared array, at least u_slice_slots
// @define GROUP_W   256|16                size of the group: 256 x 1 or 16 x 16 texels
// @define GROUP_H   1|16
// @skip GROUP_W=256 GROUP_H=16
// @skip GROUP_W=16 GROUP_H=1
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
// @skip SRC_DEPTH=32 CODES=1
#include "lib/sync.glsl"
#include "lib/texel.glsl"
#include "lib/luma.glsl"

layout(local_size_x = GROUP_W, local_size_y = GROUP_H) in;

#include "lib/slice.glsl"
#include "lib/walk.glsl"
#include "lib/bins.glsl"

const uint GROUP = GROUP_W * GROUP_H;

layout(std430) writeonly buffer b_chunks { uint chunks[]; };

uniform uint u_chunk_columns; // a multiple of GROUP_W

shared uint s_counts[SLOTS];

void count(uint bin, uint place) {
    uint at = place_in_slice(slot_of(bin, place));
    if (at < slice_slots()) {
        atomicAdd(s_counts[at], 1u);
    }
}

void count_chunk() {
    ivec2 at = walk_start(gl_WorkGroupID.x * u_chunk_columns);
    for (uint n = 0u; n < u_chunk_columns; n += GROUP_W) {
        count_texel(at);
        at = walk_on(at);
    }
}

void main() {
    uint id = gl_LocalInvocationIndex;
    for (uint s = id; s < slice_slots(); s += GROUP) {
        s_counts[s] = 0u;
    }
    wg_sync();
    count_chunk();
    wg_sync();
    uint chunk = gl_WorkGroupID.x * u_slots + first_slot();
    for (uint s = id; s < slice_slots(); s += GROUP) {
        chunks[chunk + s] = s_counts[s];
    }
}
