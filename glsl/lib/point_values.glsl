// Parameters of point operations, and values as they are stored. Needs SRC_DEPTH and DST_DEPTH. With NANS 0 no value is
// NaN. If PARAMS is more than 0, parameters are that many uniforms instead of a buffer.
#ifndef NANS
#define NANS 1
#endif
#include "lib/reproducible.glsl"
#define IN_RANGE 1
#include "lib/code.glsl"

#ifndef PARAMS
#define PARAMS 0
#endif
#if PARAMS > 0
uniform float u_params[PARAMS];
#define PARAM_AT(i) u_params[i]
#else
layout(std430) readonly buffer b_params { float params[]; };
#define PARAM_AT(i) params[i]
#endif

int first_param = 0; // of the operation, where several run one after another

float param(int i) {
    return PARAM_AT(first_param + i);
}

ivec2 placed = ivec2(0);

// Of the pixel in the whole image, where operations are not applied to codes alone.
ivec2 place() {
    return placed;
}

vec4 laid_on = vec4(0.0);
bool is_covered = false;

// The pixel of the second image that lies on this one, as point() gets its own; is_covered says whether there is one.
vec4 second() {
    return laid_on;
}

#if SRC_DEPTH == 8
#define FROM_CODE 3.9215688593685627e-3 // 1/255 as a float
#else
#define FROM_CODE 1.5259021893143654e-5 // 1/65535
#endif

// A value from its bits in the source.
float value_of_bits(uint bits) {
#if SRC_DEPTH == 32
    return float_of_bits(bits);
#else
    return product_of(float(bits), FROM_CODE);
#endif
}

// In code units and within their range, where codes are stored; no number is 0 there.
float in_codes(float value) {
#if DST_DEPTH == 32
    return value;
#else
#if NANS == 1
    value = isnan(value) ? 0.0 : value;
#endif
    // Clamped before the product. On a GPU that costs nothing there, as a part of the addition that came before.
    return product_of(clamp(value, 0.0, 1.0), float(LARGEST_CODE));
#endif
}

// The bits of a value in the result.
uint bits_of(float value) {
    return code_of(in_codes(value));
}

// The same, into a lane of a texel that is 0 so far.
void put_value(inout uvec4 texel, int lane, float value) {
    put_code(texel, lane, in_codes(value));
}

// Between two operations of one depth: the values as if they had been stored and loaded again, with so many channels.
vec4 kept(vec4 v, int channels) {
    float first = value_of_bits(bits_of(v.r));
    float alpha = channels == 1 ? 1.0 : value_of_bits(bits_of(v.a));
    return channels < 4 ? vec4(vec3(first), alpha) : vec4(first, value_of_bits(bits_of(v.g)), value_of_bits(bits_of(v.b)), alpha);
}
