#version 430 core
// Equalisation: the look-up table, lut(v) = round(largest code x (cdf(v) - C) / (N - C)), ties to even. C is the count
// of the lowest used bin and N the number of pixels. Whole numbers only, so every driver gives the same table.
//
// Reads   b_cdf  inclusive prefix sum of the counts of all channels, one after the other; each adds up to N
// Writes  b_lut  u_bins entries for each channel; KEEP in all of them where the image has a single value
// Group grid     x covers the bins, y is the number of channels
// Shared memory  none; invocations are independent, groups come in any order.
// Source         R. Gonzalez and R. Woods, Digital Image Processing, 4th ed., 3.3, as OpenCV's equalizeHist
//                scales it.
#include "lib/lut.glsl"

layout(local_size_x = 256) in;

layout(std430) readonly buffer b_cdf { uint cdf[]; };
layout(std430) writeonly buffer b_lut { uint lut[]; };

uniform uint u_bins;   // largest code + 1, at most 2^16

// N < 2^32, the pixels that have a colour, the same for all channels.
uint pixels() {
    return cdf[u_bins - 1u];
}

// The channels before this one have added N each, modulo 2^32.
uint cdf_of(uint channel, uint bin) {
    return cdf[channel * u_bins + bin] - channel * pixels();
}

// The count of the lowest bin that has any: the cdf where it first is not 0.
uint lowest_count(uint channel) {
    uint low = 0u;
    uint high = u_bins - 1u;
    while (low < high) {
        uint middle = (low + high) / 2u;
        if (cdf_of(channel, middle) > 0u) {
            high = middle;
        } else {
            low = middle + 1u;
        }
    }
    return cdf_of(channel, low);
}

// Adds part / full to number / full, both fractions of the same number. The part that exceeds 1 is carried to `whole`,
// so that nothing exceeds 32 bits.
uint add_part(uint number, uint part, uint full, inout uint whole) {
    bool carries = number >= full - part;
    whole += uint(carries);
    return carries ? number - (full - part) : number + part;
}

// round(factor x part / full), ties to even, for part < full < 2^32 and factor < 2^16: multiplied bit by bit as
// on paper, whole + rest / full all the way.
uint rounded_share(uint factor, uint part, uint full) {
    uint whole = 0u;
    uint rest = 0u;
    for (int bit = 15; bit >= 0; --bit) {
        whole *= 2u;
        rest = add_part(rest, rest, full, whole);
        if ((factor >> bit & 1u) != 0u) {
            rest = add_part(rest, part, full, whole);
        }
    }
    uint missing = full - rest;
    return whole + uint(rest > missing || (rest == missing && (whole & 1u) == 1u));
}

uint entry_of(uint channel, uint bin) {
    uint lowest = lowest_count(channel);
    uint full = pixels() - lowest;
    uint part = max(cdf_of(channel, bin), lowest) - lowest; // bins below the lowest are never looked up
    uint most = u_bins - 1u;
    return full == 0u ? KEEP : part == full ? most : rounded_share(most, part, full);
}

void main() {
    uint bin = gl_GlobalInvocationID.x;
    uint channel = gl_WorkGroupID.y;
    if (bin < u_bins) {
        lut[channel * u_bins + bin] = entry_of(channel, bin);
    }
}
