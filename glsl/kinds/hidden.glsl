// Pixels of alpha 0 get a colour that changes nothing around them; alpha is kept.
// Kind: point
// Params: 0 the value
#include "lib/value.glsl"

vec4 point(vec4 v) {
    float value = param(0);
    return vec4(v.a == 0.0 ? vec3(value) : v.rgb, v.a);
}
