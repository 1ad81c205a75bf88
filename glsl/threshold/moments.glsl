// How far luma is above 1/2, and the square of that. Counted from the middle, little is lost when squares are added up
// as floats.
// Kind: point
// Params: see lib/point_luma.glsl
//
// @twin DST_DEPTH=32
#include "lib/point_luma.glsl"

// Not rounded to a code.
float exact_luma(vec3 v) {
#if SRC_DEPTH == 32
    return value_luma(v);
#else
    return product_of(float(code_luma(v)), reciprocal(product_of(param(3), param(7))));
#endif
}

vec4 point(vec4 v) {
    precise float above = exact_luma(v.rgb) - 0.5;
    return vec4(vec3(above), product_of(above, above));
}
