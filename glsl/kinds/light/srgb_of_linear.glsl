// Values on the curve of sRGB of linear light; alpha is kept. Below 0 the curve goes on as the line that it begins with.
// Kind: point
// Source: the curve of sRGB, IEC 61966-2-1:1999.
#include "lib/elementary.glsl"
#include "lib/value.glsl"

float value_of(float light) {
    precise float curved = 1.055 * power_of(light, 0.41666667) - 0.055;
    bool is_number = !is_nan(light) && abs(light) < 3.0e38;
    return !is_number ? light : light <= 0.0031308 ? product_of(light, 12.92) : curved;
}

vec4 point(vec4 v) {
    return vec4(value_of(v.r), value_of(v.g), value_of(v.b), v.a);
}
