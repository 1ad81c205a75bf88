// The mean of the pixels in a disc, weighted by two Gaussians: of their distance from the middle, and of how much their values
// differ from those in the middle.
// Kind: window
// Source: C. Tomasi, R. Manduchi, Bilateral filtering for gray and color images, ICCV 1998.
//
// table: for codes, the weight of each squared distance up to the squared radius, then the weight of each difference, then 0
// param(0), param(1)   see kinds/window_mean.glsl
// param(2)   times a squared distance, the exponent of 1/2
// param(3)   times a difference and squared, the same
// param(4)   the largest difference in the table
#include "lib/elementary.glsl"

float difference_of(vec4 near, vec4 own);

int value_index(vec4 near, vec4 own) {
    return int(param(1)) + 1 + int(min(difference_of(near, own), param(4)));
}

vec2 weight_of(int squared, vec4 near, vec4 own) {
#if TABLE > 0
    return vec2(table_at(squared) * table_at(value_index(near, own)));
#else
    precise float by_place = float(squared) * param(2);
    precise float root = difference_of(near, own) * param(3);
    precise float by_value = root * root;
    precise float exponent = -(by_place + by_value);
    float weight = by_place <= 40.0 && by_value <= 40.0 ? exp2_of(exponent) : 0.0; // 0 of a difference that is NaN, too
    return vec2(weight, weight - 0.1 * weight * exponent); // the error of an exponent grows with it
#endif
}

double sum_of(dvec2 pair) {
    return pair.x + pair.y;
}

double exact_weight_of(int squared, vec4 near, vec4 own) {
    return sum_of(dvec2(pair_at(squared))) * sum_of(dvec2(pair_at(value_index(near, own))));
}

#if COLUMN == 1
// The weight of a distance, or without tables the exponent of it.
float place_of(int squared) {
#if TABLE > 0
    return table_at(squared);
#else
    return float(squared) * -param(2);
#endif
}

float column_weight(float place, float difference) {
#if TABLE > 0
#if PADDED == 0
    difference = min(difference, param(4));
#endif
    precise float shifted = difference + 8388608.0; // whose mantissa is the whole number
    return place * table_at(floatBitsToInt(shifted) - (0x4b000000 - 1) + int(param(1)));
#else
    float root = difference * param(3);
    return exp2(place - root * root);
#endif
}
#endif

#include "kinds/window_mean.glsl"
