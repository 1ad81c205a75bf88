// The end of a filter: sums of weighted neighbours become means. Four lanes side by side, which hold whole pixels, at a time.
//
// Needs lib/reproducible.glsl, CHANNELS, DST_DEPTH, ALPHA as lib/pixel.glsl has it, and SHARPEN: 1 if sharpened_value() comes
// after it.

// Whether a sum is divided by alpha but not yet stored, because lib/unsharp.glsl comes after it.
#ifndef ROUNDS_LATER
#define ROUNDS_LATER (DST_DEPTH == 32 || SHARPEN == 1)
#endif

// A colour's sum divided by the sum of its alphas. If nothing is opaque there is no colour either: 0.
float colour_of(float sum, float alpha, float per_alpha) {
#if DST_DEPTH == 32
    float colour = product_of(sum, per_alpha); // a float that is off in its last bit
#elif ROUNDS_LATER
    float colour = quotient_of(sum, alpha, per_alpha); // so that ties between codes stay ties
#else
    float colour = nearest_quotient(sum, alpha, per_alpha);
#endif
    return alpha != 0.0 ? colour : 0.0;
}

vec4 unpremultiplied(vec4 v) {
#if ALPHA == 1
#if ROUNDS_LATER
#define PER_ALPHA reciprocal
#else
#define PER_ALPHA 1.0 /
#endif
    for (int a = CHANNELS - 1; a < 4; a += CHANNELS) {
        float per_alpha = PER_ALPHA(v[a]);
        for (int c = a - CHANNELS + 1; c < a; ++c) {
            v[c] = colour_of(v[c], v[a], per_alpha);
        }
    }
#endif
    return v;
}

// Sums into means: `scale` is 1 / the sum of the weights. Colour that was weighted by alpha needs no scale, and a kept
// channel has no weights.
vec4 finished(vec4 v, float scale) {
    v = unpremultiplied(v);
    for (int lane = 0; lane < 4; ++lane) {
        bool is_last = lane % CHANNELS == CHANNELS - 1;
        if (ALPHA == 0 || is_last == (ALPHA == 1)) {
            v[lane] = product_of(v[lane], scale);
        } else if (ALPHA == 2 && is_last && DST_DEPTH == 32) {
            v[lane] = begun_with_zero(v[lane]);
        }
    }
    return v;
}

// Unsharp masking, from the mean that a blur gives: v + amount (v - mean), where the two differ by more than the threshold, in
// code units, else v. Nothing is rounded in between. Alpha is kept, unless it is a channel like the others (ALPHA 0).
float sharpened_value(float own, float mean, int lane, float amount, float threshold) {
    precise float difference = own - mean;
    bool is_kept = ALPHA != 0 && lane % CHANNELS == CHANNELS - 1;
    bool is_changed = !is_kept && abs(difference) > threshold;
    bool is_nan = DST_DEPTH == 32 && isnan(difference) && !is_kept;
    float value = is_changed ? add_product(own, amount, difference) : is_nan ? difference : own;
    return DST_DEPTH == 8 ? clamp(value, 0.0, 255.0) : value; // means need none
}
