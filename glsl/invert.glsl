// 1 - v; alpha is kept.
// Kind: point
vec4 point(vec4 v) {
    return vec4(1.0 - v.rgb, v.a);
}
