// The luma of a pixel in a point operation. The operation's parameters begin with those that luma_params() makes. 0 to
// 2: weights as whole numbers. 3: their sum, at most 10000. 4 to 6: weights as fractions of 1. 7: the largest code (0:
// floats). 8: 1 / sum.
#include "lib/luma_of.glsl"

// The luma of an integer image, in units of code / param(3).
uint code_luma(vec3 v) {
    float full = param(7);
    uvec3 code = uvec3(in_units(v.r, full), in_units(v.g, full), in_units(v.b, full));
    return whole_luma(uvec3(param(0), param(1), param(2)), code);
}

// The luma of a float image.
float value_luma(vec3 v) {
    return float_luma(vec3(param(4), param(5), param(6)), v);
}

float value_of_code(uint code) {
    return product_of(float(code), FROM_CODE);
}

// The nearest whole number to a quotient up to 2^16, half to even.
uint rounded_quotient(uint value, uint divisor) {
    // Off by 1 at most, as the driver rounds it; the division of whole numbers goes lane by lane on some renderers.
    uint nearest = uint(float(value) * (1.0 / float(divisor)) + 0.5);
    int twice_rest = 2 * int(value - nearest * divisor);
    bool is_odd = (nearest & 1u) == 1u;
    nearest += uint(twice_rest > int(divisor) || (twice_rest == int(divisor) && is_odd));
    nearest -= uint(twice_rest < -int(divisor) || (twice_rest == -int(divisor) && is_odd));
    return nearest;
}

// The code nearest to a luma of 8 bits, half to even. The weighted sum is a whole number below 2^24, hence exact; the
// quotient is off by less than 255 x 2^-23. Adding 768 rounds it to a multiple of 2^-14, the spacing of floats above
// 512. So a tie is exactly halfway between two codes again. No other quotient ends up there, because they are all at
// least 1/10000 away from it.
float nearest_luma(vec3 v) {
    float full = param(7);
    float red = product_of(param(0), in_units(v.r, full));
    float luma = add_whole_product(add_whole_product(red, param(1), in_units(v.g, full)), param(2), in_units(v.b, full));
    precise float quotient = (product_of(luma, param(8)) + 768.0) - 768.0;
    precise float code = (quotient + 8388608.0) - 8388608.0;
    return code;
}

// The luma three times. For an integer image it is rounded once, exactly: the nearest code, half to even.
vec3 gray_of(vec3 v) {
#if SRC_DEPTH == 32
    return vec3(value_luma(v));
#elif SRC_DEPTH == 8
    return vec3(product_of(nearest_luma(v), FROM_CODE));
#else
    return vec3(value_of_code(rounded_quotient(code_luma(v), uint(param(3)))));
#endif
}
