// Exposure in linear light, brightness and contrast of each colour, then a matrix for saturation and hue; alpha is kept.
// Kind: point
// Params: 0 factor of the exposure, 1 its root of 2.4, or 0 for values that are on no curve, 2 factor of the contrast, 3 what is
//         added after it, 4 whether there is a matrix; its rows from 5
// Source: the curve of sRGB, IEC 61966-2-1:1999.
//
// @define ENTRY 1|2  kinds/point.comp
#include "lib/elementary.glsl"
#include "lib/value.glsl"

// A value and its result may both lie on the curved part. There the curve and its inverse leave a straight line. So
// most pixels need no power, and none needs both the curve's power and its inverse's.
float exposed(float v, float factor, float root) {
    precise float shifted = v + 0.055;
    precise float straight = shifted * root - 0.055;
    bool is_dark = v <= 0.04045;
    if (is_nan(v)) { // comparisons do not tell on every driver
        return v;
    }
    if (root == 0.0) {
        return product_of(v, factor);
    }
    if (!is_dark && !(straight <= 0.04045)) {
        return straight;
    }
    float light = product_of(product_of(v, 0.077399381), factor);
    float power = power_of(is_dark ? light : product_of(shifted, 0.94786730), is_dark ? 0.41666667 : 2.4);
    precise float curved = 1.055 * power - 0.055;
    float from_dark = light <= 0.0031308 ? product_of(v, factor) : curved;
    return is_dark ? from_dark : product_of(12.92, product_of(power, factor));
}

float changed(float v, float factor, float root, float slope, float offset) {
    return add_product(offset, slope, factor == 1.0 ? v : exposed(v, factor, root));
}

// Exposure, brightness and contrast. Written out: NVIDIA's compiler fails at a loop over components around exposed()
// (C9999, driver 580).
vec3 entered(vec3 v) {
    // All parameters first: under a condition Mesa's software renderers load them lane by lane.
    float factor = param(0);
    float root = param(1);
    float slope = param(2);
    float offset = param(3);
    return vec3(changed(v.r, factor, root, slope, offset), changed(v.g, factor, root, slope, offset),
                changed(v.b, factor, root, slope, offset));
}

vec3 params_from(int i) {
    return vec3(param(i), param(i + 1), param(i + 2));
}

float mixed(vec3 colour, vec3 row) {
    float two = add_product(product_of(row.r, colour.r), row.g, colour.g);
    return add_product(two, row.b, colour.b);
}

vec4 point(vec4 v) {
    bool has_matrix = param(4) != 0.0;
    vec3 red = params_from(5);
    vec3 green = params_from(8);
    vec3 blue = params_from(11);
    return vec4(has_matrix ? vec3(mixed(v.rgb, red), mixed(v.rgb, green), mixed(v.rgb, blue)) : v.rgb, v.a);
}
