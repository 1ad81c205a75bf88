// Divides what a filter gives around holes by its share of values that are finite: see kinds/separable/holes.comp.
//
// Needs lib/reproducible.glsl, CHANNELS, and ALPHA as lib/pixel.glsl has it.
// Kind: ending
// @twin DST_DEPTH=32
// @twin SHARPEN=0

// If almost nothing is missing the sum stays as it is, bit for bit. NaN where the filter saw nothing but holes.
float quotient(float sum, float share, float alpha) {
    const float whole = 1.0 - 1.0e-6;
    bool is_clear = ALPHA == 1 && alpha == 0.0;
    float divided = share > 0.0 ? product_of(sum, reciprocal(share)) : uintBitsToFloat(0x7fc00000u);
    return share >= whole || is_clear ? sum : divided;
}

vec4 ended(vec4 sums, vec4 shares) {
    vec4 result = sums;
    for (int lane = 0; lane < 4; ++lane) {
        bool is_alpha = ALPHA != 0 && lane % CHANNELS == CHANNELS - 1;
        float alpha = sums[lane / CHANNELS * CHANNELS + CHANNELS - 1];
        result[lane] = is_alpha ? sums[lane] : quotient(sums[lane], shares[lane], alpha);
    }
    return result;
}
