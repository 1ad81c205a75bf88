// Lightness and saturation of HSL times a factor each, and the hue turned; alpha is kept. Nothing in between is clipped.
// Kind: point
// Params: 0 factor of the lightness, 1 factor of the saturation, 2 degrees that are added to the hue
//
// @define FROM 7   HSL, as in color.glsl
// @define TO   7
// @twin FROM TO
#ifndef FROM
#define FROM 7
#define TO 7
#endif
#define EVERY_HUE
#include "lib/colour_spaces.glsl"

vec4 point(vec4 v) {
    vec3 hsl = from_encoded(v.rgb);
    precise float hue = hsl.x + param(2);
    return vec4(to_encoded(vec3(hue, product_of(hsl.y, param(1)), product_of(hsl.z, param(0)))), v.a);
}
