// Levels: low + range x clamp((v - black) / (white - black))^exponent, for each channel that is to be changed.
// Kind: point
// Params: 0 the largest code (0: floats), 1 exponent, 2 low, 3 range; for r, g, b and a from 4 each: black, as two floats,
//         1 / (white - black), whether it is to be changed
#include "lib/value.glsl"
#include "lib/elementary.glsl"

float level_of(float v, int at) {
    float black = param(at);
    float black_rest = param(at + 1);
    float per_range = param(at + 2);
    bool is_asked_for = param(at + 3) != 0.0;
    float exponent = param(1);
    float low = param(2);
    float range = param(3);
    if (!is_asked_for || is_nan(v)) {
        return v;
    }
    float above = difference_of(in_units(v, param(0)), black, black_rest);
    float share = clamp(product_of(above, per_range), 0.0, 1.0);
    share = exponent == 1.0 ? share : power_of(share, exponent);
    return add_product(low, range, share);
}

vec4 point(vec4 v) {
    return vec4(level_of(v.r, 4), level_of(v.g, 8), level_of(v.b, 12), level_of(v.a, 16));
}
