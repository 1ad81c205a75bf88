// 1 where the luma is above the threshold, else 0; alpha is kept.
// Kind: point
// Params: 0 to 8 see lib/point_luma.glsl, 9 the threshold of floats, 10 and 11 the least luma of integers that is above it, in
//         parts of 2^15 and of 1
#include "lib/point_luma.glsl"

vec4 point(vec4 v) {
#if SRC_DEPTH == 32
    bool is_above = value_luma(v.rgb) > param(9);
#else
    bool is_above = code_luma(v.rgb) >= uint(param(10)) * 32768u + uint(param(11));
#endif
    return vec4(vec3(is_above ? 1.0 : 0.0), v.a);
}
