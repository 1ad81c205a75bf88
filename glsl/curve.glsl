// A piecewise cubic of each colour, flat beyond its ends; alpha is kept.
// Kind: point
// Params: 0 the largest code (0: floats), 1 the number of pieces; for each piece from 2: where it begins, as two floats,
//         1 / its length, and the coefficients of its cubic from 0 to 1, the constant first
#include "lib/value.glsl"
#include "lib/reproducible.glsl"

float curve_of(float v) {
    float x = in_units(v, param(0));
    int first = 0;
    int last = int(param(1)) - 1;
    while (first < last) {
        int middle = (first + last + 1) / 2;
        bool is_beyond = x >= param(2 + 7 * middle);
        first = is_beyond ? middle : first;
        last = is_beyond ? last : middle - 1;
    }
    int at = 2 + 7 * first;
    float t = clamp(product_of(difference_of(x, param(at), param(at + 1)), param(at + 2)), 0.0, 1.0);
    float slope = add_product(param(at + 4), t, add_product(param(at + 5), t, param(at + 6)));
    return is_nan(v) ? v : add_product(param(at + 3), t, slope);
}

vec4 point(vec4 v) {
    return vec4(curve_of(v.r), curve_of(v.g), curve_of(v.b), v.a);
}
