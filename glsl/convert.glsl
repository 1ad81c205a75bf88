// The picture as it is, or on a background, or as luma. Integers are rounded as in a file: on the background, then to luma.
// Kind: point
// Params: 0 to 7 see lib/point_luma.glsl, 8 whether luma, 9 to 11 the background, in codes where they are integers, 12 whether
//         it is used, 13 whether alpha is dropped
#include "lib/point_luma.glsl"

float over_background(float v, float alpha, float background) {
    if (param(7) == 0.0) {
        precise float rest = 1.0 - alpha;
        return add_product(product_of(v, alpha), background, rest);
    }
    uint full = uint(param(7));
    uint part = uint(in_units(alpha, param(7)));
    uint sum = uint(in_units(v, param(7))) * part + uint(background) * (full - part);
    uint below = sum / full;
    return value_of_code(below + uint(2u * (sum - below * full) > full)); // full is odd: no ties
}

vec4 point(vec4 v) {
    if (param(12) != 0.0) {
        for (int c = 0; c < 3; ++c) {
            v[c] = over_background(v[c], v.a, param(9 + c));
        }
    }
    return vec4(param(8) != 0.0 ? gray_of(v.rgb) : v.rgb, param(13) != 0.0 ? 1.0 : v.a);
}
