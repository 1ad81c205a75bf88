#version 430 core
// Figure of a histogram, second pass: translucent columns with outlines over the frame that the CPU has drawn, and its
// ink over both. One invocation for each texel, which is four pixels.
//
// A column is count x scale pixels high, or (log2(count) + 1) x scale. Heights are not rounded: the pixel at the top is
// covered in part. An outline runs along the inside of the covered area.
//
// Reads    b_columns  the output of histogram/plot_columns.comp
//          i_frame    RGBA of 8 bits: the colours under the columns, and in alpha the ink over them
// Writes   i_dst      RGB of 8 bits, stored as RGBA
// Group grid          covers the texels of the figure
// Shared memory       none; invocations are independent, groups come in any order.
// Source              none: it follows from the definition in histogram/figure.hpp.
//
// @define LOG 0|1   1: counts are logarithmic

layout(local_size_x = 16, local_size_y = 16) in;

layout(std430) readonly buffer b_columns { uint columns[]; };
layout(rgba32ui) readonly uniform uimage2D i_frame;
layout(rgba32ui) writeonly uniform uimage2D i_dst;

uniform ivec2 u_corner;      // of the area of the columns, in pixels
uniform ivec2 u_area;        // its size
uniform uint u_columns;      // in b_columns: no more than the area's pixels in a row
uniform uint u_channels;     // counted side by side
uniform int u_drawn;         // channels that are drawn, up to 5
uniform float u_places[5];   // where each stands among those counted
uniform float u_scales[5];   // pixels of a count
uniform float u_colours[15]; // red, green and blue of each, 0 to 255
uniform float u_fill;        // opacities
uniform float u_line;
uniform float u_darkness;    // of an outline: multiplies the colour
uniform int u_width;         // of an outline, in pixels

const float ink = 51.0; // how dark it is

// How much of the pixel `row` pixels above the bottom the column at `x` covers.
float covered(int drawn, int x, int row) {
    uint column = uint(clamp(x, 0, u_area.x - 1)) * u_columns / uint(u_area.x);
    uint count = columns[(column + 1u) * u_channels + uint(u_places[drawn])];
#if LOG == 1
    float height = count == 0u ? 0.0 : (log2(float(count)) + 1.0) * u_scales[drawn];
#else
    float height = float(count) * u_scales[drawn];
#endif
    return clamp(height - float(row), 0.0, 1.0);
}

vec3 over(vec3 under, vec3 colour, float opacity) {
    return under + (colour - under) * opacity;
}

vec3 colour_of(int drawn) {
    return vec3(u_colours[3 * drawn], u_colours[3 * drawn + 1], u_colours[3 * drawn + 2]);
}

vec3 with_columns(vec3 under, int x, int row) {
    for (int i = 0; i < u_drawn; ++i) {
        under = over(under, colour_of(i), u_fill * covered(i, x, row));
    }
    for (int i = 0; i < u_drawn; ++i) {
        float inside = min(covered(i, x, row + u_width),
                           min(covered(i, x - u_width, row), covered(i, x + u_width, row)));
        float outline = max(covered(i, x, row) - inside, 0.0);
        under = over(under, colour_of(i) * u_darkness, u_line * outline);
    }
    return under;
}

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    uvec4 texel = imageLoad(i_frame, at);
    int row = u_corner.y + u_area.y - 1 - at.y;
    for (int p = 0; p < 4; ++p) {
        uint frame = texel[p];
        vec3 colour = vec3(bitfieldExtract(frame, 0, 8), bitfieldExtract(frame, 8, 8), bitfieldExtract(frame, 16, 8));
        int x = 4 * at.x + p - u_corner.x;
        if (row >= 0 && row < u_area.y && x >= 0 && x < u_area.x) {
            colour = with_columns(colour, x, row);
        }
        colour = over(colour, vec3(ink), float(frame >> 24) / 255.0);
        uvec3 code = uvec3(clamp(colour, 0.0, 255.0) + 0.5);
        texel[p] = code.r | code.g << 8 | code.b << 16 | 0xff000000u;
    }
    imageStore(i_dst, at, texel); // texels beyond it are dropped
}
