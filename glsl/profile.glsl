// From the colours of one ICC profile to the colours of another, where both are a matrix and curves with formulas;
// alpha is kept.
//
// Source: ICC.1:2022, F.3, and 10.18 for the curves.
// Kind: point
// Params: 0 for each colour how its value becomes light, by a line at first, then by a power: where the power begins,
//         slope, factor, summand, exponent; 15 a matrix by rows; 24 for each colour how light becomes a value: where
//         the power begins, slope, exponent, factor, summand
//
// @define ENTRY 1|2  kinds/point.comp
#include "lib/elementary.glsl"

float light_of(float v, int curve) {
    precise float base = v * param(curve + 2) + param(curve + 3);
    return v < param(curve) ? product_of(v, param(curve + 1)) : power_of(base, param(curve + 4));
}

float value_of(float light, int curve) {
    precise float value = power_of(light, param(curve + 2)) * param(curve + 3) + param(curve + 4);
    return light < param(curve) ? product_of(light, param(curve + 1)) : value;
}

float mixed(vec3 light, int row) {
    return add_product(add_product(product_of(param(row), light.x), param(row + 1), light.y), param(row + 2), light.z);
}

vec3 entered(vec3 v) {
    return vec3(light_of(v.r, 0), light_of(v.g, 5), light_of(v.b, 10));
}

vec4 point(vec4 light) {
    vec3 made = vec3(mixed(light.rgb, 15), mixed(light.rgb, 18), mixed(light.rgb, 21));
    return vec4(value_of(made.r, 24), value_of(made.g, 29), value_of(made.b, 34), light.a);
}
