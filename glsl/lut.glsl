// Colours through a table: each channel by its own along one axis, or all together along three, by the tetrahedron of
// neighbours around a colour. Alpha is kept.
// Kind: point
// Params: 0 entries along an axis, 1 whether there are three axes; for r, g and b from 2 each: the first entry's value, entries
//         for a step of 1; the table from 8, red fastest
// Source: J. Kasson, W. Plouffe, S. Nin, A tetrahedral interpolation technique for color space conversion, 1993.
#include "lib/value.glsl"
#include "lib/reproducible.glsl"

vec3 lut_entry(int at) {
    return vec3(param(8 + 3 * at), param(9 + 3 * at), param(10 + 3 * at));
}

float lut_between(float from, float to, float share) {
    precise float rise = to - from;
    return add_product(from, share, rise);
}

// From the corner at `at` to the opposite one, along the axis of the largest share first.
vec3 lut_tetrahedron(vec3 share, int at) {
    int size = int(param(0));
    ivec3 stride = ivec3(1, size, size * size);
    int most = share.r >= share.g ? (share.r >= share.b ? 0 : 2) : (share.g >= share.b ? 1 : 2);
    int least = share.b <= share.g ? (share.b <= share.r ? 2 : 0) : (share.g <= share.r ? 1 : 0);
    ivec3 axis = ivec3(most, 3 - most - least, least);
    vec3 last = lut_entry(at);
    vec3 result = last;
    for (int i = 0; i < 3; ++i) {
        at += stride[axis[i]];
        vec3 next = lut_entry(at);
        precise vec3 rise = next - last;
        precise vec3 part = share[axis[i]] * rise;
        precise vec3 sum = result + part;
        result = sum;
        last = next;
    }
    return result;
}

vec4 point(vec4 v) {
    ivec3 below;
    vec3 share;
    for (int c = 0; c < 3; ++c) {
        float place = product_of(difference_of(v[c], param(2 + 2 * c), 0.0), param(3 + 2 * c));
        place = is_nan(place) ? 0.0 : clamp(place, 0.0, param(0) - 1.0);
        below[c] = min(int(place), int(param(0)) - 2);
        share[c] = place - float(below[c]);
    }
    bool none = is_nan(v.r) || is_nan(v.g) || is_nan(v.b);
    int size = int(param(0));
    vec3 colour;
    if (param(1) != 0.0) {
        colour = lut_tetrahedron(share, below.r + size * (below.g + size * below.b));
        return vec4(none ? vec3(v.r + v.g + v.b) : colour, v.a);
    }
    for (int c = 0; c < 3; ++c) {
        float from = param(8 + 3 * below[c] + c);
        colour[c] = is_nan(v[c]) ? v[c] : lut_between(from, param(11 + 3 * below[c] + c), share[c]);
    }
    return vec4(colour, v.a);
}
