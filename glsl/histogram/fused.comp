#version 430 core
// Histogram, variant fused: as many groups as the device holds at a time walk the whole image together. Each counts in
// shared memory, and adds its counts to the result once.
//
// A group takes every u_step-th stretch of GROUP_W columns (lib/walk.glsl) and counts one slice of the slots
// (lib/slice.glsl). Each invocation has IN_FLIGHT loads under way before it counts the first. Every addition adds a
// literal 1: some devices then join the additions of a subgroup to one count, and an image of one colour is the
// fastest.
//
// Reads    i_src     the image
// Updates  b_counts  the slots of lib/bins.glsl, cleared before. A count is at most the number of
//                    pixels, which the host keeps below 2^32.
// Shared memory      4 x SLOTS bytes; groups are independent and come in any order.
//
// @define CHANNELS  1|2|4           as stored
// @define SRC_DEPTH 8|16|32         bits of a channel
// @define COUNTED   1|2|14|16|18|31 which channels are counted, lib/bins.glsl
// @define CODES     0|1             lib/bins.glsl
// @define SLOTS     1024|8192       counts, at least u_slice_slots; up to 4096 they are never sliced
// @skip SRC_DEPTH=32 CODES=1
#if defined(ONE_PICTURE) && SRC_DEPTH == 8 // see lib/moved.glsl
#define ROLLED
#pragma optionNV(unroll none)
#else
#pragma optionNV(unroll all)
#endif
#define GROUP_W 1024
#define GROUP_H 1
#define IN_FLIGHT 2
#include "lib/sync.glsl"
#include "lib/texel.glsl"
#include "lib/luma.glsl"

layout(local_size_x = GROUP_W, local_size_y = GROUP_H) in;

#include "lib/slice.glsl"
#include "lib/walk.glsl"

layout(std430) buffer b_counts { uint counts[]; };

uniform uint u_steps; // texels of an invocation; some of them may lie beyond the image

shared uint s_counts[SLOTS];

#include "lib/bins.glsl"

// Channel by channel if there are no slices: neighbours then add to all banks at once.
uint shared_place(uint bin, uint place) {
#if SLOTS <= 4096
    return place * uint(SLOTS / COUNTED_CHANNELS) + bin;
#else
    return place_in_slice(slot_of(bin, place));
#endif
}

void count(uint bin, uint place) {
    uint at = shared_place(bin, place);
#if SLOTS <= 4096
    atomicAdd(s_counts[at], 1u);
#else
    if (at < slice_slots()) {
        atomicAdd(s_counts[at], 1u);
    }
#endif
}

void count_walk() {
    ivec2 next = walk_start(gl_WorkGroupID.x * GROUP_W);
    for (uint n = 0u; n < u_steps; n += IN_FLIGHT) {
        int pixels[IN_FLIGHT];
        uvec4 texels[IN_FLIGHT];
        bool all_inside = true;
        for (int i = 0; i < IN_FLIGHT; ++i) {
            pixels[i] = pixels_inside(next);
            all_inside = all_inside && pixels[i] == SRC_PIXELS;
            texels[i] = imageLoad(i_src, next); // 0 beyond the image, and not counted
            next = walk_on(next);
        }
        if (all_inside) { // no comparison for each
            for (int i = 0; i < IN_FLIGHT; ++i) {
                count_pixels(texels[i], SRC_PIXELS);
            }
        } else {
            for (int i = 0; i < IN_FLIGHT; ++i) {
                count_pixels(texels[i], pixels[i]);
            }
        }
    }
}

void main() {
    uint id = gl_LocalInvocationIndex;
    for (uint s = id; s < SLOTS; s += GROUP_W) {
        s_counts[s] = 0u;
    }
    wg_sync();
    count_walk();
    wg_sync();
    for (uint s = id; s < slice_slots(); s += GROUP_W) {
        uint slot = first_slot() + s;
        uint sum = s_counts[shared_place(slot / uint(COUNTED_CHANNELS), slot % uint(COUNTED_CHANNELS))];
        if (sum != 0u) {
            atomicAdd(counts[slot], sum);
        }
    }
}
