// The light that each of three stains alone lets through, at most all; alpha is kept.
// Kind: point
// Params: of lib/stains.glsl
#include "lib/stains.glsl"

float light_of(float sum) {
    return is_nan(sum) ? sum : exp2_of(sum < 0.0 ? sum : 0.0);
}

vec4 point(vec4 v) {
    vec3 sums = stain_sums(v.rgb);
    return vec4(light_of(sums.r), light_of(sums.g), light_of(sums.b), v.a);
}
