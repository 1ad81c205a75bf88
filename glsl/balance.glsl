// Colours times a matrix, or a factor each, in linear light; alpha is kept.
// Kind: point
// Params: 0 the matrix by rows, 9 whether values are on the curve of sRGB
//
// @define ENTRY 1|2    kinds/point.comp
// @define GAINS 0|1    1: the matrix is a diagonal
#ifndef GAINS
#define GAINS 0
#endif
#define FROM 1
#define TO 1
#include "lib/colour_spaces.glsl"

// Infinities have no root here.
float light_or_none(float v) {
    return v > 3.0e38 || param(9) == 0.0 ? v : light_of_value(v);
}

float value_or_none(float light) {
    return light > 3.0e38 || param(9) == 0.0 ? light : value_of_light(light);
}

vec3 entered(vec3 v) {
    return vec3(light_or_none(v.r), light_or_none(v.g), light_or_none(v.b));
}

vec4 point(vec4 light) {
#if GAINS == 1
    precise vec3 balanced = light.rgb * vec3(param(0), param(4), param(8));
#else
    vec3 balanced = through(light.rgb, 0);
#endif
    return vec4(value_or_none(balanced.r), value_or_none(balanced.g), value_or_none(balanced.b), light.a);
}
