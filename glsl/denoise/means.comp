#version 430 core
// Non-local means: each pixel becomes the mean of the pixels around it, weighted by how much the patches around both are alike.
//
// A group makes a block of WIDE x TALL pixels, and holds them with a margin in shared memory. For each offset an invocation squares the
// differences between pixels that are so far apart, down a part of a column, and adds them up down the patches. Then it adds these sums
// up across the patches of PER pixels side by side. Sums of codes of 8 bits are whole numbers below 2^24, so that each can follow from
// the one before; the others are added in one order everywhere. Beyond the image it is mirrored at its edge pixels.
//
// Reads   i_src   the image
// Writes  i_dst   the result; alpha is kept
// Group grid      x blocks of WIDE pixels, y of TALL; groups come in any order
// Shared bytes    up to 32232
// Source          A. Buades, B. Coll, J.-M. Morel, A Non-local Algorithm for Image Denoising, CVPR 2005; J. Darbon, A. Cunha,
//                 T. F. Chan, S. Osher, G. J. Jensen, Fast Nonlocal Filtering Applied to Electron Cryomicroscopy, ISBI 2008
//
// @define CHANNELS  1|2|4     as stored
// @define SRC_DEPTH 8|16|32   bits of a channel
// @define PATCH     1|2|3     how far patches reach
// @define FETCHED   0|1       lib/texel.glsl
#define DST_DEPTH SRC_DEPTH
#include "lib/sync.glsl"
#include "lib/texel.glsl"
#include "lib/elementary.glsl"
#include "lib/code.glsl"
#include "denoise/patches.glsl"

#if PLANES == 1
#define WIDE 64
#define TALL 32
#else
#define WIDE 32
#define TALL 16
#endif
#define PER 4
#if PLANES == 1
#define GROUP 512 // WIDE * TALL / PER
#else
#define GROUP 128
#endif
layout(local_size_x = GROUP) in;

layout(rgba32ui) writeonly uniform uimage2D i_dst;

uniform int u_search; // offsets reach so far; at most 10

#define MARGIN (10 + PATCH)
#define HELD_WIDE (WIDE + 2 * MARGIN + 1) // odd, so that the pixels of a column lie in different banks
#define HELD (HELD_WIDE * (TALL + 2 * MARGIN))

shared uint s_held[PLANES * HELD];

void hold(int i, ivec2 corner) {
    ivec2 at = corner + ivec2(i % HELD_WIDE, i / HELD_WIDE) - MARGIN;
    at = ivec2(mirrored(at.x, u_size.x), mirrored(at.y, u_size.y));
    uvec4 texel = texel_at(ivec2(at.x / SRC_PIXELS, at.y));
    for (int c = 0; c < PLANES; ++c) {
        s_held[c * HELD + i] = held_bits(texel, at.x % SRC_PIXELS * CHANNELS, c);
    }
}

// PER pixels side by side, as they are held.
uvec4 held(int plane, int i) {
    i += plane * HELD;
    return uvec4(s_held[i], s_held[i + 1], s_held[i + 2], s_held[i + 3]);
}

float squares_at(int x, int y, int offset) {
    int i = (y + MARGIN - PATCH) * HELD_WIDE + x + MARGIN - PATCH;
    float sum = 0.0;
    for (int c = 0; c < COLOURS; ++c) {
        int plane = PLANES == 1 ? 0 : c * HELD;
        sum = add_square(sum, s_held[plane + i], s_held[plane + i + offset], c);
    }
    return sum;
}

#include "denoise/patch_sums.glsl"

// A result, from its moves and weights, as it will be stored, into s_held. That must be 0 so far.
void put(int p, ivec2 corner, ivec2 first, vec4 result) {
    ivec2 at = min(corner + first + ivec2(p, 0), u_size - 1);
    uvec4 source = texel_at(ivec2(at.x / SRC_PIXELS, at.y));
    for (int c = 0; c < CHANNELS; ++c) {
        uint bits = lane_bits(source, at.x % SRC_PIXELS * CHANNELS + c);
        int lane = (first.y * WIDE + first.x + p) * CHANNELS + c;
        uint code = c < COLOURS ? result_of(bits, result[c], result.w) : bits;
        atomicOr(s_held[lane * SRC_DEPTH / 32], code << (lane * SRC_DEPTH % 32));
    }
}

void store(ivec2 corner) {
    const int across = WIDE / SRC_PIXELS; // texels
    for (int i = int(gl_LocalInvocationIndex); i < across * TALL; i += GROUP) {
        uvec4 texel = uvec4(s_held[4 * i], s_held[4 * i + 1], s_held[4 * i + 2], s_held[4 * i + 3]);
        imageStore(i_dst, ivec2(corner.x / SRC_PIXELS + i % across, corner.y + i / across), texel);
    }
}

void main() {
    int id = int(gl_LocalInvocationIndex);
    ivec2 corner = ivec2(gl_WorkGroupID.xy) * ivec2(WIDE, TALL);
    for (int i = id; i < HELD; i += GROUP) {
        hold(i, corner);
    }
    wg_sync();
    ivec2 first = ivec2(id / TALL * PER, id % TALL); // of the pixels of this invocation
    int place = (first.y + MARGIN) * HELD_WIDE + first.x + MARGIN;
    uvec4 own = held(0, place);
    vec4 weights = vec4(0.0);
    vec4 red = vec4(0.0); // weight x difference from the own colour
    vec4 green = vec4(0.0);
    vec4 blue = vec4(0.0);
    for (int dy = -u_search; dy <= u_search; ++dy) {
        for (int dx = -u_search; dx <= u_search; ++dx) {
            int offset = dy * HELD_WIDE + dx;
            add_down(offset);
            wg_sync();
            vec4 sums = add_across(first.y * COLUMNS_WIDE + first.x);
            wg_sync();
            vec4 these = vec4(weight_of(sums.x), weight_of(sums.y), weight_of(sums.z), weight_of(sums.w));
            uvec4 others = held(0, place + offset);
            red = add_colour(red, these, others, own, 0);
#if CHANNELS == 4
            green = add_colour(green, these, PLANES == 1 ? others : held(1, place + offset), PLANES == 1 ? own : held(1, place), 1);
            blue = add_colour(blue, these, PLANES == 1 ? others : held(2, place + offset), PLANES == 1 ? own : held(2, place), 2);
#endif
            precise vec4 together = weights + these;
            weights = together;
        }
    }
    wg_sync();
    for (int i = id; i < WIDE * TALL * CHANNELS * SRC_DEPTH / 32; i += GROUP) {
        s_held[i] = 0u;
    }
    wg_sync();
    put(0, corner, first, vec4(red.x, green.x, blue.x, weights.x));
    put(1, corner, first, vec4(red.y, green.y, blue.y, weights.y));
    put(2, corner, first, vec4(red.z, green.z, blue.z, weights.z));
    put(3, corner, first, vec4(red.w, green.w, blue.w, weights.w));
    wg_sync();
    store(corner);
}
