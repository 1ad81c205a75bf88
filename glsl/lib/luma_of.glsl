// The luma of a pixel by given weights: a whole number for integer images, a float for float images.
#include "lib/value.glsl"

uint whole_luma(uvec3 weights, uvec3 code) {
    return weights.r * code.r + weights.g * code.g + weights.b * code.b;
}

// Summed as distances from green, because the luma of a grey pixel is then its grey value to the last bit, and white
// never exceeds 1. If channels are infinite the differences may be NaN; the weighted sum then tells which it is.
// `precise`: every driver rounds each of these operations once and fuses none, so all give the same bits.
float float_luma(vec3 weights, vec3 value) {
    precise float red = weights.r * (value.r - value.g);
    precise float blue = weights.b * (value.b - value.g);
    precise float both = red + blue;
    precise float luma = value.g + both;
    float sum = weights.r * value.r + weights.g * value.g + weights.b * value.b;
    return is_nan(luma) ? sum : luma;
}
