// The luma of a pixel, by weights that are uniforms.
#include "lib/luma_of.glsl"

uniform uvec4 u_luma;      // whole-number weights of R, G, B; the luma of white: their sum x the largest code
uniform vec4 u_luma_float; // the same weights as fractions of 1; the last is not used

// At most u_luma.w < 2^30: 10000 x 65535.
uint whole_luma(uvec3 code) {
    return whole_luma(u_luma.rgb, code);
}

float float_luma(vec3 value) {
    return float_luma(u_luma_float.rgb, value);
}
