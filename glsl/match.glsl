// Each colour looked up in a table of its own by its code; alpha is kept.
// Kind: point
// Params: 0 the largest code; from 1 the values of all codes of red, or grey, then of green, then of blue
float matched(float v, int channel) {
    int code = int(product_of(v, param(0)) + 0.5);
    return param(1 + channel * (int(param(0)) + 1) + code);
}

vec4 point(vec4 v) {
    return vec4(matched(v.r, 0), matched(v.g, 1), matched(v.b, 2), v.a);
}
