#version 430 core
// Equalisation, between histogram and prefix sum: counts of several channels lie side by side, and this puts one
// channel after the other, so that a single scan serves them all.
//
// Reads   b_chunks  counts[bin x u_channels + channel]
// Writes  b_counts  counts[channel x u_bins + bin]
// Group grid        x covers the bins, y is the number of channels
// Shared memory     none; invocations are independent, groups come in any order.

layout(local_size_x = 256) in;

layout(std430) readonly buffer b_chunks { uint interleaved[]; };
layout(std430) writeonly buffer b_counts { uint counts[]; };

uniform uint u_bins;
uniform uint u_channels;

void main() {
    uint bin = gl_GlobalInvocationID.x;
    uint channel = gl_WorkGroupID.y;
    if (bin < u_bins) {
        counts[channel * u_bins + bin] = interleaved[bin * u_channels + channel];
    }
}
