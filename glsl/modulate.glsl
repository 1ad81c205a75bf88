// Lightness and saturation of HSL times a factor each, and the hue turned; alpha is kept. Nothing in between is clipped.
// Kind: point
// Params: 0 factor of the lightness, 1 factor of the saturation, 2 degrees that are added to the hue, 3 whether
//         values are light, which is encoded before and decoded afterwards
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

vec3 modulated(vec3 encoded) {
    vec3 hsl = from_encoded(encoded);
    precise float hue = hsl.x + param(2);
    return to_encoded(vec3(hue, product_of(hsl.y, param(1)), product_of(hsl.z, param(0))));
}

vec4 point(vec4 v) {
    bool is_light = param(3) != 0.0;
    vec3 encoded = is_light ? vec3(value_of_light(v.r), value_of_light(v.g), value_of_light(v.b)) : v.rgb;
    vec3 made = modulated(encoded);
    return vec4(is_light ? vec3(light_of_value(made.r), light_of_value(made.g), light_of_value(made.b)) : made, v.a);
}
