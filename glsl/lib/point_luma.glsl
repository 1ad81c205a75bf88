// The luma of a pixel in a point operation whose parameters begin with those of luma_params():
// 0 to 2 weights as whole numbers, 3 their sum, 4 to 6 as fractions of 1, 7 the largest code (0: floats).
#include "lib/luma_of.glsl"

// Of an integer image, in units of code / param(3).
uint code_luma(vec3 v) {
    uvec3 code = uvec3(in_units(v.r, param(7)), in_units(v.g, param(7)), in_units(v.b, param(7)));
    return whole_luma(uvec3(param(0), param(1), param(2)), code);
}

// Of a float image.
float value_luma(vec3 v) {
    return float_luma(vec3(param(4), param(5), param(6)), v);
}

float value_of_code(uint code) {
    return product_of(float(code), reciprocal(param(7)));
}

// The luma three times; of an integer image rounded once, exactly: the nearest code, half to even.
vec3 gray_of(vec3 v) {
    if (param(7) == 0.0) {
        return vec3(value_luma(v));
    }
    uint luma = code_luma(v);
    uint sum = uint(param(3));
    uint nearest = luma / sum;
    uint twice_rest = 2u * (luma - nearest * sum);
    nearest += uint(twice_rest > sum || (twice_rest == sum && (nearest & 1u) == 1u));
    return vec3(value_of_code(nearest));
}
