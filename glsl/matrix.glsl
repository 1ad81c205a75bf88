// Each colour a weighted sum of all three and an offset; alpha is kept.
// Kind: point
// Params: the rows of the matrix, four numbers each
#include "lib/reproducible.glsl"

float row_of(vec3 colour, int at) {
    float two = add_product(product_of(param(at), colour.r), param(at + 1), colour.g);
    precise float sum = add_product(two, param(at + 2), colour.b) + param(at + 3);
    return sum;
}

vec4 point(vec4 v) {
    return vec4(row_of(v.rgb, 0), row_of(v.rgb, 4), row_of(v.rgb, 8), v.a);
}
