// Colours that are scaled until their luma is another, exactly: R, G and B times L'/L, rounded and clipped.
//
// Needs SRC_DEPTH (8 or 16), lib/luma.glsl and lib/whole.glsl.

// min(largest, round(code x wanted / luma)), exactly.
//
// The ratio comes from two conversions and a quotient. It errs by less than 2^-21 of itself, whatever the rounding
// mode. A product up to the largest code therefore errs by less than 2^16 x 2^-20 = 1/16. A larger product ends as the
// largest code or more, with or without the correction by 1.
uint scaled_code(uint code, uint wanted, uint luma, float ratio) {
    const uint largest = (1u << SRC_DEPTH) - 1u;
    float guess = min(float(code) * ratio, float(largest) + 1.0);
    return min(rounded_quotient(code, wanted, luma, guess), largest);
}

// The same for 8 bits, where the guess alone is enough: the whole numbers nearest to it, if none is near a tie.
//
// A guess errs by less than 2^8 x 2^-20 < 0.0003. However the whole number beside it was found, if it is within 0.4997
// of the guess it is the nearest to the quotient as well.
bool scaled_easily(uvec3 code, float ratio, out uvec3 scaled) {
    const uint largest = (1u << SRC_DEPTH) - 1u;
    vec3 guess = min(vec3(code) * ratio, vec3(largest));
    vec3 nearest = roundEven(guess);
    vec3 off = abs(guess - nearest);
    scaled = uvec3(nearest);
    return SRC_DEPTH == 8 && max(off.r, max(off.g, off.b)) < 0.4997;
}

// `luma` is the luma of the code, in units of u_luma, and not 0. `entry` is the code of the luma that is wanted.
uvec4 scaled_to_luma(uvec4 code, uint luma, uint entry) {
    uint wanted = entry * (u_luma.w / ((1u << SRC_DEPTH) - 1u)); // in units of luma, at most u_luma.w
    float ratio = float(wanted) / float(luma);
    uvec3 scaled;
    if (!scaled_easily(code.rgb, ratio, scaled)) {
        for (int c = 0; c < 3; ++c) {
            scaled[c] = scaled_code(code[c], wanted, luma, ratio);
        }
    }
    return uvec4(scaled, code.a);
}
