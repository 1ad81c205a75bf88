// Luma, three times; alpha is kept. Of an integer image it is rounded once, exactly: the nearest code, half to even.
// Kind: point
// Params: see lib/point_luma.glsl
#include "lib/point_luma.glsl"

vec4 point(vec4 v) {
    return vec4(gray_of(v.rgb), v.a);
}
