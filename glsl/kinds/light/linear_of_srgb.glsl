// Linear light of values on the curve of sRGB; alpha is kept. Below 0 the curve goes on as the line that it begins with.
// Kind: point
// Source: the curve of sRGB, IEC 61966-2-1:1999.
#include "lib/elementary.glsl"
#include "lib/value.glsl"

float light_of(float v) {
    precise float shifted = v + 0.055;
    float curved = power_of(product_of(shifted, 0.94786730), 2.4);
    bool is_number = !is_nan(v) && abs(v) < 3.0e38;
    return !is_number ? v : v <= 0.04045 ? product_of(v, 0.077399381) : curved;
}

vec4 point(vec4 v) {
    return vec4(light_of(v.r), light_of(v.g), light_of(v.b), v.a);
}
