// Unsharp masking, from the mean that a blur gives: v + amount (v - mean), where the two differ by more than the
// threshold, else v. Nothing is rounded in between.
//
// Needs lib/pixel.glsl, and SHARPEN 1 to do anything. Alpha is kept, unless it is a channel like the others (ALPHA 0).
#if SHARPEN == 1 || defined(NEEDS_OWN)
layout(rgba32ui) readonly uniform uimage2D i_own; // the image, in the format of the result

float own_value(uvec4 texel, int lane) {
#if DST_DEPTH == 8
    return float(bitfieldExtract(texel[lane >> 2], (lane & 3) * 8, 8));
#elif DST_DEPTH == 16
    return float(bitfieldExtract(texel[lane >> 1], (lane & 1) * 16, 16));
#else
    return float_of_bits(texel[lane]);
#endif
}

#endif

#if SHARPEN == 1
uniform float u_amount;
uniform float u_threshold; // in code units

// Sharpens a quad, whose own values are the lanes of `texel` that begin with `first`.
vec4 sharpened(vec4 means, uvec4 texel, int first) {
    vec4 result;
    for (int lane = 0; lane < 4; ++lane) {
        float own = own_value(texel, first + lane);
        precise float difference = own - means[lane];
        bool is_kept = ALPHA != 0 && lane % CHANNELS == CHANNELS - 1;
        bool is_changed = !is_kept && abs(difference) > u_threshold;
        bool is_nan = SRC_DEPTH == 32 && isnan(difference) && !is_kept;
        float value = is_changed ? add_product(own, u_amount, difference) : is_nan ? difference : own;
        result[lane] = DST_DEPTH == 8 ? clamp(value, 0.0, 255.0) : value; // means need none
    }
    return result;
}

void sharpen(int unit, int y, inout float values[UNIT_LANES]) {
    for (int t = 0; t < DST_TEXELS; ++t) {
        uvec4 texel = imageLoad(i_own, ivec2(unit * DST_TEXELS + t, y));
        for (int q = 0; q < DST_LANES / 4; ++q) {
            int quad = t * (DST_LANES / 4) + q;
            put_quad(values, quad, sharpened(quad_of(values, quad), texel, 4 * q));
        }
    }
}
#else
void sharpen(int unit, int y, inout float values[UNIT_LANES]) {}

vec4 sharpened(vec4 means, uvec4 texel, int first) {
    return means;
}
#endif
