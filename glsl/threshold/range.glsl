// White where red, green and blue all lie in a range, bounds included, else black; alpha is kept.
// Kind: point
// Params: 0 to 2 the lowest red, green and blue in the units of lib/value.glsl, 3 to 5 the highest, 6 the unit
#include "lib/value.glsl"

bool is_in_range(float v, int channel) {
    float value = in_units(v, param(6));
    return !is_nan(value) && value >= param(channel) && value <= param(channel + 3);
}

vec4 point(vec4 v) {
    bool is_white = is_in_range(v.r, 0) && is_in_range(v.g, 1) && is_in_range(v.b, 2);
    return vec4(vec3(is_white ? 1.0 : 0.0), v.a);
}
