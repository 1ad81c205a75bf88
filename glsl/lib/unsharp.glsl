// Unsharp masking of texels: sharpened_value() of lib/ending.glsl.
//
// Needs lib/pixel.glsl, and SHARPEN 1 to do anything.
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
        result[lane] = sharpened_value(own_value(texel, first + lane), means[lane], lane, u_amount, u_threshold);
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
