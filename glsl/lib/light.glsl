// Between codes on the sRGB curve and linear light. Both ways are looked up in tables made in double precision, so that
// every driver gives the same answer; alpha is on no curve.
//
// Needs lib/reproducible.glsl, LIGHT_BITS (8 or 16: the bits of a code), and TO_LIGHT or FROM_LIGHT, whichever function
// is wanted.
#define LIGHT_CODES (1 << LIGHT_BITS)

#ifdef TO_LIGHT
layout(std430) readonly buffer b_light { float light_of_code[]; };

float light_of(float code) {
    return light_of_code[int(code) & (LIGHT_CODES - 1)];
}

float alpha_of(float code) {
    return product_of(code, 1.0 / float(LIGHT_CODES - 1)); // a quotient would differ from driver to driver
}
#endif

#ifdef FROM_LIGHT
layout(std430) readonly buffer b_codes { float first_light[]; }; // of every code but 0: 2^LIGHT_BITS - 1 values, rising

// Counts the codes that begin at or below `light`.
float code_of_light(float light) {
    int code = 0;
    for (int half_left = LIGHT_CODES / 2; half_left > 0; half_left /= 2) {
        if (light >= first_light[code + half_left - 1]) {
            code += half_left;
        }
    }
    return float(code);
}

float code_of_alpha(float alpha) {
    return product_of(alpha, float(LIGHT_CODES - 1));
}
#endif
