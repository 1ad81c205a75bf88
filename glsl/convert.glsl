// The picture as it is, or on a background, or as luma. Integers are rounded as in a file: on the background, then to luma.
// Kind: point
// Params: 0 to 8 see lib/point_luma.glsl, 9 whether luma, 10 to 12 the background, in codes where they are integers, 13 whether
//         it is used, 14 whether alpha is dropped
#include "lib/point_luma.glsl"

float over_background(float v, float alpha, float background) {
#if SRC_DEPTH == 32
    precise float rest = 1.0 - alpha;
    return add_product(product_of(v, alpha), background, rest);
#else
    uint full = uint(param(7));
    uint part = uint(in_units(alpha, param(7)));
    uint sum = uint(in_units(v, param(7))) * part + uint(background) * (full - part);
    return value_of_code(rounded_quotient(sum, full));
#endif
}

vec4 point(vec4 v) {
    vec3 background = vec3(param(10), param(11), param(12)); // not under the condition, see adjust.glsl
    if (param(13) != 0.0) {
        for (int c = 0; c < 3; ++c) {
            v[c] = over_background(v[c], v.a, background[c]);
        }
    }
    vec3 gray = gray_of(v.rgb);
    return vec4(param(9) != 0.0 ? gray : v.rgb, param(14) != 0.0 ? 1.0 : v.a);
}
