#version 430 core
// Levels: finds from the histogram which bins become black and white. They are the lowest and the highest bin beyond
// which no more than u_clipped pixels lie. Whole numbers only, so every driver finds the same. If both are the same
// bin, the image is to stay as it is.
//
// Reads   b_counts  counts[bin x u_channels + channel]: of luma, or of r, g and b
// Writes  b_params  of levels.glsl: black and 1 / (white - black) of r, g and b; the other parameters are already there
// Group grid        x is the number of channels
// Shared memory     1 KiB and 8 bytes
// Group order       does not matter
#include "lib/sync.glsl"
#include "lib/reproducible.glsl"

#define GROUP 256

layout(local_size_x = GROUP) in;

layout(std430) readonly buffer b_counts { uint counts[]; };
layout(std430) buffer b_params { float params[]; };

uniform uint u_bins;     // a multiple of GROUP, at most 2^16
uniform uint u_channels; // 1 or 3
uniform uint u_clipped;
uniform float u_full;    // the largest code; 0: floats, whose bins reach from 0 to 1

shared uint s_sums[GROUP]; // pixels in the part of the bins that an invocation has
shared uint s_ends[2];     // the two bins, once they are found

uint count_of(uint bin) {
    return counts[bin * u_channels + gl_WorkGroupID.x];
}

void main() {
    uint part = u_bins / uint(GROUP);
    uint begin = gl_LocalInvocationIndex * part;
    uint sum = 0u;
    for (uint bin = begin; bin < begin + part; ++bin) {
        sum += count_of(bin);
    }
    s_sums[gl_LocalInvocationIndex] = sum;
    if (gl_LocalInvocationIndex == 0u) {
        s_ends[0] = 0u;
        s_ends[1] = 0u;
    }
    wg_sync();
    uint below = 0u;
    uint above = 0u;
    for (uint i = 0u; i < uint(GROUP); ++i) {
        below += i < gl_LocalInvocationIndex ? s_sums[i] : 0u;
        above += i > gl_LocalInvocationIndex ? s_sums[i] : 0u;
    }
    // Each end lies in one part: up to that part no more pixels than may be clipped, with it more.
    if (below <= u_clipped && sum > u_clipped - below) {
        uint bin = begin;
        for (uint passed = below + count_of(bin); passed <= u_clipped; passed += count_of(bin)) {
            ++bin;
        }
        s_ends[0] = bin;
    }
    if (above <= u_clipped && sum > u_clipped - above) {
        uint bin = begin + part - 1u;
        for (uint passed = above + count_of(bin); passed <= u_clipped; passed += count_of(bin)) {
            --bin;
        }
        s_ends[1] = bin;
    }
    wg_sync();
    if (gl_LocalInvocationIndex < 3u && (u_channels == 1u || gl_LocalInvocationIndex == gl_WorkGroupID.x)) {
        uint at = 4u + 4u * gl_LocalInvocationIndex;
        bool stays = s_ends[0] >= s_ends[1];
        bool has_codes = u_full > 0.0;
        float bins_per_unit = has_codes ? 1.0 : float(u_bins); // a power of 2
        float width = stays ? (has_codes ? u_full : float(u_bins)) : float(s_ends[1] - s_ends[0]) + (has_codes ? 0.0 : 1.0);
        params[at] = stays ? 0.0 : product_of(float(s_ends[0]), reciprocal(bins_per_unit));
        params[at + 1u] = 0.0;
        params[at + 2u] = product_of(reciprocal(width), bins_per_unit);
    }
}
