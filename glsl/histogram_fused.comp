#version 430 core
// Histogram, variant fused: as many groups as the device holds at a time walk the whole image together,
// count in shared memory and add what they counted to the result once.
//
// A group takes every u_step-th stretch of GROUP_W columns (lib/walk.glsl) and counts one slice of the
// slots (lib/slice.glsl). Each invocation has IN_FLIGHT loads under way. Two things spread contention:
// pixels of one slot in a row, as an invocation meets them, become a single addition; and neighbouring
// invocations add to different copies of the counts.
//
// Reads    i_src     the image
// Updates  b_counts  the slots of lib/bins.glsl, cleared before. A count is at most the number of
//                    pixels, which the host keeps below 2^32.
// Shared memory      4 x SLOTS x COPIES bytes; groups are independent and come in any order.
//
// @define CHANNELS  1|2|4           as stored
// @define SRC_DEPTH 8|16|32         bits of a channel
// @define COUNTED   1|2|14|16|18|31 which channels are counted, lib/bins.glsl
// @define SLOTS     1024|8192       counts of a copy, at least u_slice_slots
// @define COPIES    1|4             of the counts
// @skip SLOTS=8192 COPIES=4
#define GROUP_W 1024
#define GROUP_H 1
#define IN_FLIGHT 4
#include "lib/sync.glsl"
#include "lib/texel.glsl"
#include "lib/luma.glsl"

layout(local_size_x = GROUP_W, local_size_y = GROUP_H) in;

#include "lib/slice.glsl"
#include "lib/walk.glsl"

layout(std430) buffer b_counts { uint counts[]; };

uniform uint u_steps; // texels of an invocation, some of which may lie beyond the image

shared uint s_counts[SLOTS * COPIES]; // the copies of a count lie side by side, in different banks

// For each counted channel, by its place: the slot of the latest pixels, at first none of any slice, and
// how many of them in a row.
uint run_slot[5] = uint[](~0u, ~0u, ~0u, ~0u, ~0u);
uint run_length[5] = uint[](0u, 0u, 0u, 0u, 0u);

void add_run(uint place) {
    uint at = place_in_slice(run_slot[place]);
    if (at < slice_slots()) {
        atomicAdd(s_counts[at * COPIES + gl_LocalInvocationIndex % COPIES], run_length[place]);
    }
}

void count(uint slot, uint place) {
    if (slot != run_slot[place]) {
        add_run(place);
        run_slot[place] = slot;
        run_length[place] = 0u;
    }
    ++run_length[place];
}

#include "lib/bins.glsl"

void count_walk() {
    ivec2 next = walk_start(gl_WorkGroupID.x * GROUP_W);
    for (uint n = 0u; n < u_steps; n += IN_FLIGHT) {
        ivec2 at[IN_FLIGHT];
        uvec4 texels[IN_FLIGHT];
        for (int i = 0; i < IN_FLIGHT; ++i) {
            at[i] = next;
            texels[i] = imageLoad(i_src, next); // 0 beyond the image, and not counted
            next = walk_on(next);
        }
        for (int i = 0; i < IN_FLIGHT; ++i) {
            count_pixels(at[i], texels[i]);
        }
    }
    for (uint place = 0u; place < COUNTED_CHANNELS; ++place) {
        add_run(place);
    }
}

void main() {
    uint id = gl_LocalInvocationIndex;
    for (uint s = id; s < slice_slots() * COPIES; s += GROUP_W) {
        s_counts[s] = 0u;
    }
    wg_sync();
    count_walk();
    wg_sync();
    for (uint s = id; s < slice_slots(); s += GROUP_W) {
        uint sum = 0u;
        for (uint copy = 0u; copy < COPIES; ++copy) {
            sum += s_counts[s * COPIES + copy];
        }
        if (sum != 0u) {
            atomicAdd(counts[first_slot() + s], sum);
        }
    }
}
