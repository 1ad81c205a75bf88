// Pixels of alpha 0 get a colour that changes nothing around them; alpha is kept, or all that can be seen becomes opaque.
// Kind: point
// Params: 0 the value
//         1 the alpha of pixels that can be seen, or 0: theirs
//         2 1: only instead of NaN
#include "lib/value.glsl"

float seen(float value) {
    return param(2) == 0.0 || is_nan(value) ? param(0) : value;
}

vec4 point(vec4 v) {
    return v.a == 0.0 ? vec4(seen(v.r), seen(v.g), seen(v.b), v.a) : vec4(v.rgb, param(1) > 0.0 ? param(1) : v.a);
}
