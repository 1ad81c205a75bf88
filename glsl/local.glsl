// The mean, standard deviation or variance of the floats in a square around each pixel, per channel. NaN counts as missing, and
// pixels of alpha 0 do not count.
// Kind: window
//
// param(0)   0 the standard deviation, 1 the variance, 2 the mean
// param(1)   1 where the last channel is alpha, which is kept
#include "lib/elementary.glsl"

vec4 is_there(vec4 values) {
    return vec4(lessThanEqual(floatBitsToUint(values) & 0x7fffffffu, uvec4(0x7f800000u)));
}

// The same of a pixel: none of one that is hidden.
vec4 is_seen(vec4 pixel) {
    bool is_hidden = param(1) != 0.0 && pixel[CHANNELS - 1] == 0.0;
    return is_hidden ? vec4(0.0) : is_there(pixel);
}

vec4 is_finite(vec4 values) {
    return vec4(lessThan(floatBitsToUint(values) & 0x7fffffffu, uvec4(0x7f800000u)));
}

// From the values in the middle, where these are finite: of equal values the differences are 0.
vec4 from(vec4 own, vec4 values) {
    precise vec4 differences = values - own;
    return mix(vec4(0.0), differences, greaterThan(is_seen(values), vec4(0.0)));
}

vec4 quotient(vec4 sums, vec4 counts) {
    vec4 result;
    for (int c = 0; c < CHANNELS; ++c) {
        result[c] = counts[c] > 0.0 ? product_of(sums[c], reciprocal(counts[c])) : uintBitsToFloat(0x7fc00000u);
    }
    return result;
}

// The sum of differences from `mean`, to the power of 1 or 2, row by row, so that its error grows little with the radius.
vec4 sum_about(vec4 own, vec4 mean, bool is_squared, inout vec4 counts) {
    precise vec4 all = vec4(0.0);
    for (int dy = -u_reach.y; dy <= u_reach.y; ++dy) {
        precise vec4 row = vec4(0.0);
        for (int dx = -u_reach.x; dx <= u_reach.x; ++dx) {
            vec4 near = pixel(dx, dy);
            vec4 there = is_seen(near);
            precise vec4 apart = (from(own, near) - mean) * there;
            precise vec4 square = apart * apart;
            row += is_squared ? square : apart;
            counts += there;
        }
        all += row;
    }
    return all;
}

vec4 window() {
    vec4 own = pixel(0, 0);
    float alpha = own[CHANNELS - 1];
    own = mix(vec4(0.0), own, greaterThan(is_seen(own) * is_finite(own), vec4(0.0)));
    vec4 counts = vec4(0.0);
    vec4 mean = quotient(sum_about(own, vec4(0.0), false, counts), counts);
    precise vec4 result = own + mean;
    if (param(0) < 2.0) {
        vec4 unused = vec4(0.0);
        result = quotient(sum_about(own, mean, true, unused), counts);
    }
    for (int c = 0; c < CHANNELS && param(0) == 0.0; ++c) {
        result[c] = root_of(result[c]);
    }
    if (param(1) != 0.0) {
        result = alpha == 0.0 && counts[CHANNELS - 1] == 0.0 ? vec4(0.0) : result; // as nothing around it can be seen, either
        result[CHANNELS - 1] = alpha;
    }
    return result;
}
