#version 430 core
// Plot of a histogram, second pass: colours each pixel of a panel by the set of channels whose column reaches it.
// One invocation for each texel, which is four pixels.
//
// A column is count x max(1 / largest count, bins / (5 x pixels)) of the panel's height. A pixel is reached where
// its centre lies in the column, borders included: the height in whole pixels is rounded, halves up. All of this is
// whole numbers, so that every driver draws the same.
//
// Reads    b_columns  the output of histogram/plot_columns.comp
// Writes   i_dst      RGB of 8 bits, stored as RGBA: the rows of the panel
// Group grid          covers the texels of the panel
// Shared memory       none; invocations are independent, groups come in any order.
// Source              none: it follows from the definition in histogram/plot.hpp.

layout(local_size_x = 16, local_size_y = 16) in;

layout(std430) readonly buffer b_columns { uint columns[]; };
layout(rgba32ui) writeonly uniform uimage2D i_dst;

uniform ivec2 u_panel;   // its size in pixels, up to 2^14 each
uniform int u_top;       // its first row in i_dst
uniform uint u_bins;     // up to 2^16
uniform uint u_columns;  // in b_columns: no more than the panel's pixels in a row
uniform uint u_channels; // counted side by side
uniform uint u_pixels;   // of the image
uniform uvec4 u_places;  // where the four channels of the panel stand among those counted; u_channels: it is not there

// Opaque colours of the sets of channels, the bytes in the order A B G R. The first three mix as light does, to
// grey; the fourth lightens what it covers, to white where it covers all.
const uint colours[16] = uint[](
    0xff000000u, // none
    0xff0000ffu, // r
    0xff00ff00u, // g
    0xff00ffffu, // rg, yellow
    0xffff0000u, // b
    0xffff00ffu, // rb, magenta
    0xffffff00u, // gb, cyan
    0xffa0a0a0u, // rgb, grey
    0xff0080ffu, // a, orange
    0xffa0a0ffu, // ra
    0xffa0ffa0u, // ga
    0xffa0ffffu, // rga
    0xffffa0a0u, // ba
    0xffffa0ffu, // rba
    0xffffffa0u, // gba
    0xffffffffu  // rgba
);

// The largest count of a channel in all bins, or in column i if `entry` is i + 1.
uint largest(uint entry, uint place) {
    return place < u_channels ? columns[entry * u_channels + place] : 0u;
}

// a b >= c d
bool product_reaches(uint a, uint b, uint c, uint d) {
    uvec2 left = uvec2(0u); // low half, high half
    uvec2 right = uvec2(0u);
    umulExtended(a, b, left.y, left.x);
    umulExtended(c, d, right.y, right.x);
    return left.y > right.y || (left.y == right.y && left.x >= right.x);
}

// Whether the centre of the pixel `row` pixels above the bottom lies in the channel's column. The larger of the two
// scales reaches it where either does, and no factor exceeds 32 bits.
bool reaches(uint column, uint place, uint row) {
    uint count = largest(column + 1u, place);
    uint twice_height = 2u * uint(u_panel.y);
    uint twice_centre = 2u * row + 1u;
    return product_reaches(count, twice_height, max(largest(0u, place), 1u), twice_centre) ||
           product_reaches(count, twice_height * u_bins, u_pixels, 5u * twice_centre);
}

uint colour_at(uint x, uint row) {
    uint column = x * u_columns / uint(u_panel.x);
    uint set = 0u;
    for (int channel = 0; channel < 4; ++channel) {
        set |= uint(reaches(column, u_places[channel], row)) << channel;
    }
    return colours[set];
}

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (at.y < u_panel.y) {
        uint row = uint(u_panel.y - 1 - at.y);
        uvec4 texel = uvec4(0u);
        for (int p = 0; p < 4; ++p) {
            int x = min(at.x * 4 + p, u_panel.x - 1); // pixels beyond the image may hold anything
            texel[p] = colour_at(uint(x), row);
        }
        imageStore(i_dst, ivec2(at.x, u_top + at.y), texel); // texels beyond it are dropped
    }
}
