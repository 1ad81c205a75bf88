// The densities of three stains, at least 0; alpha is kept.
// Kind: point
// Params: of lib/stains.glsl
// @twin DST_DEPTH=32
#include "lib/stains.glsl"

float density_of(float sum) {
    return is_nan(sum) || sum > 0.0 ? sum : 0.0;
}

vec4 point(vec4 v) {
    vec3 sums = stain_sums(v.rgb);
    return vec4(density_of(sums.r), density_of(sums.g), density_of(sums.b), v.a);
}
