// Lays a second image on the image, by a mode of W3C's Compositing and Blending, by arithmetic, or by bits of codes. Where the
// second image ends, the image is as it was.
//
// Every result is a quotient of two numbers, which is rounded once. Codes and shares are whole numbers, shares as parts of a
// whole, so with 8 bits nothing is lost before. At full opacity these numbers are below 2^24 or 2^32 for most modes, and fit
// floats or integers. All else needs doubles.
//
// Source: Compositing and Blending Level 1, W3C, 2015.
// Kind: point
// Params: 0 opacity; of a weighted sum from 1: the weights of the image and of the second one, and a summand in code units, each
//         as two floats that add up to it
//
// @define MODE   0|1|2|3|4|5|6|7|8|9|10|11|12|13|14|15|16|17|18|19|20|21|22|23|24|25|26|27|28|29  as BlendMode of blend.hpp
// @define FADED  0|1    whether the opacity is below 1
// @define ALPHAS 0|1    whether both images have alpha
// @twin FADED=1 ALPHAS=1 MODE
#include "lib/blend_modes.glsl"

// A quotient, rounded to the nearest value that the image can hold, as a value from 0 to 1. With no divisor there is no colour: 0.
float value_of_quotient(number_t above, number_t below) {
#if NUMBER == 0 && SRC_DEPTH == 32
    return float(quotient_of_doubles(double(above), double(below)));
#else
    return product_of(nearest_code(above, below), FROM_CODE);
#endif
}

float colour_of_blend(float own, float other, Share under, Share top) {
    number_t from = number_of(own);
    number_t to = number_of(other);
    if (MODE <= LAST_OPERATOR) {
        number_t of_top = weight_of_top(under, top);
        number_t of_under = weight_of_under(under, top);
        exact_number own_part = MODE == 1 || MODE == 2 ? ZERO : of_under * from; // 0 also where the colour is NaN
        exact_number sum = of_top * to + own_part;
        exact_number weights = of_top + of_under;
        return value_of_quotient(sum, MODE == PLUS ? min(weights, top.whole * under.whole) : weights);
    }
    Quotient mixed = blended(from, to);
    exact_number uncovered = (under.whole - under.part) * to;
    exact_number inner = uncovered * mixed.below + under.part * mixed.above;
    exact_number left = (top.whole - top.part) * under.part;
    exact_number above = top.part * inner + left * from * mixed.below;
    exact_number below = (top.part * under.whole + left) * mixed.below;
    return value_of_quotient(above, below);
}

float alpha_of_blend(Share under, Share top) {
    exact_number of_operator = weight_of_top(under, top) + weight_of_under(under, top);
    exact_number of_mode = top.part * under.whole + (top.whole - top.part) * under.part;
    number_t below = top.whole * under.whole;
    return value_of_quotient(min(MODE <= LAST_OPERATOR ? of_operator : of_mode, below) * FULL, below);
}

// Beneath alpha 0 there may be anything, NaN, too.
vec4 visible(vec4 v) {
    return v.a == 0.0 ? vec4(0.0) : v;
}

vec4 point(vec4 v) {
    if (!is_covered) {
        return v;
    }
    bool has_alpha = MODE < FIRST_ARITHMETIC;
    vec4 own = has_alpha ? visible(v) : v;
    vec4 other = visible(second());
    bool clears = MODE == 1 || MODE == 2; // in, out: nothing is left where the second image has nothing
    if (other.a == 0.0 && !clears) {
        return own;
    }
    Share top = faded(share_of(other.a));
    Share under = share_of(has_alpha ? v.a : 1.0);
    float alpha = has_alpha ? alpha_of_blend(under, top) : v.a;
    keep_colours(own.rgb, other.rgb);
    float red = colour_of_blend(own.r, other.r, under, top); // one after the other: they take the colours that were kept
    float green = colour_of_blend(own.g, other.g, under, top);
    float blue = colour_of_blend(own.b, other.b, under, top);
    return vec4(red, green, blue, alpha);
}
