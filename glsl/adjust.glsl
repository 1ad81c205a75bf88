// Exposure in linear light, brightness and contrast of each colour, then a matrix for saturation and hue; alpha is kept.
// Kind: point
// Params: 0 factor of the exposure (1: none), 1 its root of 2.4, 2 factor of the contrast, 3 what is added after it, 4 whether
//         there is a matrix; its rows from 5
// Source: the curve of sRGB, IEC 61966-2-1:1999.
#include "lib/elementary.glsl"
#include "lib/value.glsl"

// Where a value and its result both lie on the curved part, the curve and its inverse leave a straight line: most pixels need
// no power.
float exposed(float v) {
    if (is_nan(v)) { // comparisons do not tell on every driver
        return v;
    }
    if (v <= 0.04045) {
        float light = product_of(product_of(v, 0.077399381), param(0));
        precise float curved = 1.055 * power_of(light, 0.41666667) - 0.055;
        return light <= 0.0031308 ? product_of(v, param(0)) : curved;
    }
    precise float shifted = v + 0.055;
    precise float result = shifted * param(1) - 0.055;
    if (!(result <= 0.04045)) {
        return result;
    }
    return product_of(12.92, product_of(power_of(product_of(shifted, 0.94786730), 2.4), param(0)));
}

float toned(float v) {
    v = param(0) == 1.0 ? v : exposed(v);
    return add_product(param(3), param(2), v);
}

float mixed(vec3 colour, int at) {
    float two = add_product(product_of(param(at), colour.r), param(at + 1), colour.g);
    return add_product(two, param(at + 2), colour.b);
}

vec4 point(vec4 v) {
    vec3 colour = vec3(toned(v.r), toned(v.g), toned(v.b));
    return param(4) == 0.0 ? vec4(colour, v.a) : vec4(mixed(colour, 5), mixed(colour, 8), mixed(colour, 11), v.a);
}
