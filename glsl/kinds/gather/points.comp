#version 430 core
// The points of the source that samples of some rows of the result show in perspective, for kinds/gather/affine.comp.
//
// Points of any other map come from the processor, into the same buffer, so one kernel reads both.
//
// Writes  b_points  pairs of doubles, row by row
// Group grid        64 x 1 samples a group
// Shared memory     none; invocations are independent, groups come in any order.
// Source            P. S. Heckbert, Fundamentals of Texture Mapping and Image Warping, 1989: projective maps
#include "lib/quotient.glsl"

layout(local_size_x = 64) in;

layout(std430) writeonly buffer b_points { uvec4 points[]; };

uniform ivec2 u_first; // the first sample
uniform int u_columns; // samples of a row
// Pairs of doubles: the point at the result's corner, and how far it moves for a sample right and down. It is divided by a depth:
// as much there, and what it grows by.
uniform uvec4 u_origin;
uniform uvec4 u_right;
uniform uvec4 u_down;
uniform uvec4 u_depth_at_origin; // one double
uniform uvec4 u_depth_steps;     // right, down

dvec2 doubles_of(uvec4 words) {
    return dvec2(packDouble2x32(words.xy), packDouble2x32(words.zw));
}

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (at.x >= u_columns) {
        return;
    }
    dvec2 centre = dvec2(u_first + at) + 0.5;
    precise dvec2 right = doubles_of(u_right) * centre.x;
    precise dvec2 down = doubles_of(u_down) * centre.y;
    precise dvec2 both = right + down;
    precise dvec2 point = doubles_of(u_origin) + both;
    precise dvec2 steps = doubles_of(u_depth_steps) * centre;
    precise double step = steps.x + steps.y;
    precise double depth = packDouble2x32(u_depth_at_origin.xy) + step;
    double per = reciprocal_of_double(depth);
    points[at.y * u_columns + at.x] =
        uvec4(unpackDouble2x32(quotient_by(point.x, depth, per)), unpackDouble2x32(quotient_by(point.y, depth, per)));
}
