// What operations of the kind point work with: parameters, and values as they are stored. Needs SRC_DEPTH and DST_DEPTH; with
// NANS 0 no value is NaN.
#ifndef NANS
#define NANS 1
#endif
#include "lib/reproducible.glsl"
#include "lib/code.glsl"

layout(std430) readonly buffer b_params { float params[]; };

int first_param = 0; // of the operation, where several run one after another

float param(int i) {
    return params[first_param + i];
}

#if SRC_DEPTH == 8
#define FROM_CODE 3.9215688593685627e-3 // 1/255 as a float
#else
#define FROM_CODE 1.5259021893143654e-5 // 1/65535
#endif

// As stored in the source.
float value_of_bits(uint bits) {
#if SRC_DEPTH == 32
    return uintBitsToFloat(bits);
#else
    return product_of(float(bits), FROM_CODE);
#endif
}

// In code units, where codes are stored; no number is 0 there.
float in_codes(float value) {
#if DST_DEPTH == 32
    return value;
#else
    float code = product_of(value, float((1 << DST_DEPTH) - 1));
#if NANS == 1
    code = isnan(code) ? 0.0 : code;
#endif
    return code;
#endif
}

// As stored in the result.
uint bits_of(float value) {
    return code_of(in_codes(value));
}

// The same, into a lane of a texel that is 0 so far.
void put_value(inout uvec4 texel, int lane, float value) {
    put_code(texel, lane, in_codes(value));
}

// Between two operations of one depth: stored and loaded again, with so many channels.
vec4 kept(vec4 v, int channels) {
    float first = value_of_bits(bits_of(v.r));
    float alpha = channels == 1 ? 1.0 : value_of_bits(bits_of(v.a));
    return channels < 4 ? vec4(vec3(first), alpha) : vec4(first, value_of_bits(bits_of(v.g)), value_of_bits(bits_of(v.b)), alpha);
}
