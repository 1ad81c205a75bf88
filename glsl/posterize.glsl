// The nearest of the levels, halfway the higher one; alpha is kept.
// Kind: point
// Params: 0 the largest code (0: floats), 1 the number of steps between levels, then the levels from 2
#include "lib/value.glsl"
#include "lib/reproducible.glsl"

// Which of them. Of integers in whole numbers: their quotient is never halfway between two, but may be very near that.
int nearest_level(float v, float full, float steps) {
    if (full > 0.0) {
        uint whole = uint(full);
        return int((2u * uint(in_units(v, full)) * uint(steps) + whole) / (2u * whole));
    }
    float scaled = product_of(clamp(v, 0.0, 1.0), steps);
    float below = floor(scaled);
    return int(below) + (scaled - below >= 0.5 ? 1 : 0);
}

float posterized(float v, float full, float steps) {
    return is_nan(v) ? v : param(2 + nearest_level(v, full, steps));
}

vec4 point(vec4 v) {
    float full = param(0);
    float steps = param(1);
    return vec4(posterized(v.r, full, steps), posterized(v.g, full, steps), posterized(v.b, full, steps), v.a);
}
