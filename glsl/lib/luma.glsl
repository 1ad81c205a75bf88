// The luma of a pixel: as a whole number for integer images, as a float for float images.
uniform uvec4 u_luma;      // whole-number weights of R, G, B; the luma of white: their sum x the largest code
uniform vec4 u_luma_float; // the same weights as fractions of 1; the last is not used

// At most u_luma.w < 2^30: 10000 x 65535.
uint whole_luma(uvec3 code) {
    return u_luma.r * code.r + u_luma.g * code.g + u_luma.b * code.b;
}

bool is_nan(float value) {
    return (floatBitsToUint(value) & 0x7fffffffu) > 0x7f800000u;
}

// As a distance from green, because the luma of a grey pixel is then its grey value to the last bit, and
// white never exceeds 1. Where channels are infinite the differences may be no numbers; the weighted sum then
// tells which it is. `precise`: every driver rounds each of these operations once and fuses none, so all give
// the same bits.
float float_luma(vec3 value) {
    precise float red = u_luma_float.r * (value.r - value.g);
    precise float blue = u_luma_float.b * (value.b - value.g);
    precise float both = red + blue;
    precise float luma = value.g + both;
    float sum = u_luma_float.r * value.r + u_luma_float.g * value.g + u_luma_float.b * value.b;
    return is_nan(luma) ? sum : luma;
}
