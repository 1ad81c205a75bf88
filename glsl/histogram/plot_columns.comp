#version 430 core
// Plot of a histogram, first pass: the largest count of each channel, in each column of the plot and in all. One
// invocation for each count.
//
// A plot may be narrower than the histogram. Bin b then falls into column floor(((b + 1) u_columns - 1) / u_bins). So
// column c shows the bins from floor(c u_bins / u_columns) up to the first bin of the next one. Maxima do not depend on
// the order in which they are taken.
//
// Reads    b_counts   u_bins x u_channels counts
// Updates  b_columns  the largest counts of all bins, then the largest of each column; cleared before
// Group grid          covers the counts
// Shared memory       none; invocations are independent, groups come in any order.
// Source              none: it follows from the definition in histogram/plot.hpp.

layout(local_size_x = 256) in;

layout(std430) readonly buffer b_counts { uint counts[]; };
layout(std430) buffer b_columns { uint columns[]; };

uniform uint u_bins;     // up to 2^16
uniform uint u_columns;  // up to u_bins and 2^14
uniform uint u_channels; // counted side by side

void main() {
    uint slot = gl_GlobalInvocationID.x;
    if (slot < u_bins * u_channels) {
        uint bin = slot / u_channels;
        uint place = slot - bin * u_channels;
        uint column = ((bin + 1u) * u_columns - 1u) / u_bins;
        atomicMax(columns[(column + 1u) * u_channels + place], counts[slot]);
        atomicMax(columns[place], counts[slot]);
    }
}
