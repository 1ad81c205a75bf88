#version 430 core
// Applies a point operation to every code of 8 bits. Each channel of its result depends only on the same channel of the
// source. One group.
//
// OPERATION is a file as for kinds/point.comp.
//
// Reads   b_params  the parameters, with PARAMS 0; else u_params
// Writes  b_codes   256 results: red, green, blue and alpha of each, for a source whose channels all have that code
// Shared memory     none
//
// @define OPERATION point  a file of this kind
// @define SRC_DEPTH 8      bits of a channel
// @define DST_DEPTH 8
// @define PARAMS    0|16   lib/point_values.glsl
// @define ENTRY     0      2: the file has entered()
#include "lib/point_values.glsl"

layout(local_size_x = 256) in;

layout(std430) writeonly buffer b_codes { uint codes[]; };

#include OPERATION

void main() {
    uint code = gl_LocalInvocationIndex;
    float value = value_of_bits(code);
#if ENTRY == 2
    vec4 v = point(vec4(entered(vec3(value)), value));
#else
    vec4 v = point(vec4(value));
#endif
    codes[code] = bits_of(v.r) | bits_of(v.g) << 8 | bits_of(v.b) << 16 | bits_of(v.a) << 24;
}
