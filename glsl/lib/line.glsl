// Lines of an array along one axis: where they lie, and what is beyond their ends.
//
// Needs lib/volume.glsl. ALONG 1: lines of neighbours, each u_block after the one before. ALONG 0: values of a line lie
// u_step apart, and u_step / COLUMNS lanes of lines side by side.
#include "lib/fold.glsl"

uniform int u_length;
uniform int u_step;
uniform int u_block;
uniform int u_border; // lib/fold.glsl
uniform uvec4 u_constant; // its bits, in the first two

// The index that stands for i, or -1 for the constant.
int folded(int i) { return folded(i, u_length, u_border); }

// Of the line that begins at `line`.
Lane inside(int line, int i) {
    return load(line + i * u_step);
}

Lane anywhere(int line, int i) {
    int place = folded(i);
    return place < 0 ? Lane(packDouble2x32(u_constant.xy)) : load(line + place * u_step);
}
