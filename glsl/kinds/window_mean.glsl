// The weighted mean of the pixels in a disc, for operations of the kind window, which include it.
//
// Codes are the exact mean, rounded once with ties to even, on every driver. Floats give the mean of the differences from the
// middle and a bound of its error. Where that bound leaves two codes, doubles decide. Float images are summed step by step.
//
// Needs, for a pixel `near` the middle `own`, at a squared distance of `squared`:
//   vec2 weight_of(int squared, vec4 near, vec4 own)          its weight, and the weight times its share of the error: see param(0)
//   double exact_weight_of(int squared, vec4 near, vec4 own)  of codes, with 48 bits
// param(0)   for codes, how far a sum of weights x differences may be off, as a part of the sum of their magnitudes
// param(1)   the squared radius

#if SRC_DEPTH == 32
#define ROUNDED precise
#else
#define ROUNDED // the bound covers whatever a driver makes of it
#endif

// Over all channels, as they are shown.
float difference_of(vec4 near, vec4 own) {
    precise vec4 apart = abs(shown(near) - shown(own));
    precise float difference = ((apart.x + apart.y) + apart.z) + apart.w;
    return difference;
}

struct Sums {
    vec4 moves;  // weight x (value - value in the middle)
    COUNT sizes; // at least the same without signs
    COUNT weight;
};

Sums sum_of(Sums a, Sums b) {
    return Sums(a.moves + b.moves, a.sizes + b.sizes, a.weight + b.weight);
}

Sums at_pixel(int dx, int dy, vec4 own) {
    vec4 near = seen(pixel(dx, dy));
    vec2 weight = weight_of(dx * dx + dy * dy, near, own);
    vec4 move = weight.x > 0.0 ? near - own : vec4(0.0); // what weighs nothing may be NaN
    ROUNDED COUNT counts = weight.x * cover(near);
    ROUNDED vec4 moves = counts * move;
#if ALPHA == 1
    return Sums(moves, weight.y * cover(near) * abs(move), counts);
#else
    return Sums(moves, weight.y * difference_of(near, own), counts);
#endif
}

int reach_at(int dy) {
    return int(sqrt(param(1) - float(dy * dy) + 0.5));
}

// Row by row, so that a sum's error grows little with the radius.
Sums sums_of(vec4 own) {
    Sums none = Sums(vec4(0.0), COUNT(0.0), COUNT(0.0));
    Sums all = none;
    for (int dy = -u_reach.y; dy <= u_reach.y; ++dy) {
        Sums row = none;
        int reach = reach_at(dy);
        for (int dx = -reach; dx <= reach; ++dx) {
            row = sum_of(row, at_pixel(dx, dy, own));
        }
        all = sum_of(all, row);
    }
    return all;
}

#if SRC_DEPTH == 32
vec4 window() {
    vec4 own = seen(pixel(0, 0));
    Sums sums = sums_of(own);
    vec4 weight = vec4(sums.weight);
    vec4 result = own; // which stays where it is not finite
    for (int c = 0; c < CHANNELS; ++c) {
        precise float mean = own[c] + product_of(sums.moves[c], reciprocal(weight[c]));
        result[c] = weight[c] != 0.0 ? mean : weight[CHANNELS - 1] != 0.0 ? 0.0 : own[c];
    }
    return result;
}
#else
// The side of own + halves / 2 on which the mean of each channel lies: 1 above, -1 below. It is 0 if they are so near that only
// equal weights can be the reason. `halves` are odd. The reach is negative where nobody asks.
vec4 sides_of(vec4 own, vec4 halves, vec4 unsure, int reach_y) {
    dvec4 sums = dvec4(0.0LF);
    for (int dy = -reach_y; dy <= reach_y; ++dy) {
        int reach = reach_at(dy);
        for (int dx = -reach; dx <= reach; ++dx) {
            vec4 near = pixel(dx, dy);
            double weight = exact_weight_of(dx * dx + dy * dy, near, own);
            sums += weight * dvec4(vec4(cover(near))) * dvec4(2.0 * (near - own) - halves);
        }
    }
    return vec4(greaterThan(abs(sums), dvec4(unsure) * 1.0e-6LF)) * vec4(sign(sums));
}

vec4 window() {
    vec4 own = pixel(0, 0);
    Sums sums = sums_of(own);
    vec4 weight = vec4(sums.weight);
    vec4 means = sums.moves / weight;
    vec4 whole = floor(means);
    vec4 sides = 2.0 * (means - whole) - 1.0;
    vec4 unsure = param(0) * vec4(sums.sizes);
    bvec4 is_unsure = lessThanEqual(abs(sides) * weight, unsure);
    vec4 found = sides_of(own, 2.0 * whole + 1.0, unsure, any(is_unsure) ? u_reach.y : -1);
    sides = mix(sides, found, is_unsure);
    whole += own;
    for (int c = 0; c < CHANNELS; ++c) {
        bool is_odd = fract(whole[c] * 0.5) != 0.0;
        whole[c] += float(sides[c] > 0.0 || (sides[c] == 0.0 && is_odd));
        whole[c] = weight[c] > 0.0 ? whole[c] : 0.0; // where nothing is opaque there is no colour
    }
    return whole;
}
#endif

#define HAS_COLUMNS
#if COLUMN == 1
#include "kinds/window_mean_column.glsl"
#endif
