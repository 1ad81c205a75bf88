// Levels: low + range x clamp((v - black) / (white - black))^exponent, for each channel that is asked for.
// Kind: point
// Params: 0 the largest code (0: floats), 1 exponent, 2 low, 3 range; for r, g, b and a from 4 each: black, as two floats,
//         1 / (white - black), whether it is asked for
#include "lib/value.glsl"
#include "lib/elementary.glsl"

float level_of(float v, int at) {
    if (param(at + 3) == 0.0 || is_nan(v)) {
        return v;
    }
    float above = difference_of(in_units(v, param(0)), param(at), param(at + 1));
    float share = clamp(product_of(above, param(at + 2)), 0.0, 1.0);
    share = param(1) == 1.0 ? share : power_of(share, param(1));
    return add_product(param(2), param(3), share);
}

vec4 point(vec4 v) {
    return vec4(level_of(v.r, 4), level_of(v.g, 8), level_of(v.b, 12), level_of(v.a, 16));
}
