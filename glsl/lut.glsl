// Looks colours up in a table: each by itself along one axis, or all together along three. Alpha is kept.
// Kind: point
// Params: 0 entries along an axis, 1 whether there are three axes; for r, g and b from 2 each: the first entry's value, entries
//         for a step of 1; the table from 8, red fastest
#include "lib/value.glsl"
#include "lib/reproducible.glsl"

vec3 entry_at(int at) {
    return vec3(param(8 + 3 * at), param(9 + 3 * at), param(10 + 3 * at));
}

#include "lib/tetrahedron.glsl"

float between(float from, float to, float share) {
    precise float rise = to - from;
    return add_product(from, share, rise);
}

vec4 point(vec4 v) {
    int size = int(param(0));
    ivec3 below;
    vec3 share;
    for (int c = 0; c < 3; ++c) {
        float place = product_of(difference_of(v[c], param(2 + 2 * c), 0.0), param(3 + 2 * c));
        place = is_nan(place) ? 0.0 : clamp(place, 0.0, param(0) - 1.0);
        below[c] = min(int(place), size - 2);
        share[c] = place - float(below[c]);
    }
    if (param(1) != 0.0) {
        float sum = v.r + v.g + v.b;
        bool has_none = is_nan(v.r) || is_nan(v.g) || is_nan(v.b);
        return vec4(has_none ? vec3(sum) : in_tetrahedron(share, below.r + size * (below.g + size * below.b), size), v.a);
    }
    for (int c = 0; c < 3; ++c) {
        v[c] = is_nan(v[c]) ? v[c] : between(entry_at(below[c])[c], entry_at(below[c] + 1)[c], share[c]);
    }
    return v;
}
