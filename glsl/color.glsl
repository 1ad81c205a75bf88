// Converts colours from one colour space to another; alpha is kept.
//
// Values as an image holds them are scaled to values as they are, and back. Spaces on the curve of sRGB meet in encoded red, green
// and blue, the others in XYZ.
//
// Source: CIE 15:2004, Colorimetry; IEC 61966-2-1:1999; ITU-R BT.601.
// Kind: point
// Params: 0 for each of three values: a factor and a summand before, and after; 12 the matrix from linear light to XYZ by rows, 21 its
//         inverse, 30 u' and v' of white
//
// @define FROM 0|1|3|5|7    as ColourSpace of color.hpp, 0 to 8
// @define TO   0|2|4|6|8
#ifndef FROM
#define FROM 0
#endif
#ifndef TO
#define TO 3
#endif
#include "lib/colour_spaces.glsl"

vec3 scaled(vec3 v, int first) {
    precise vec3 result = v * vec3(param(first), param(first + 4), param(first + 8)) +
                          vec3(param(first + 1), param(first + 5), param(first + 9));
    return result;
}

vec3 converted(vec3 v) {
#if IS_ENCODED(FROM) && IS_ENCODED(TO)
    return from_encoded(to_encoded(v));
#elif IS_ENCODED(FROM)
    vec3 rgb = to_encoded(v);
    vec3 light = vec3(light_of_value(rgb.r), light_of_value(rgb.g), light_of_value(rgb.b));
    return TO == 1 ? light : from_xyz(through(light, 12));
#elif IS_ENCODED(TO)
    vec3 light = FROM == 1 ? v : through(to_xyz(v), 21);
    return from_encoded(vec3(value_of_light(light.r), value_of_light(light.g), value_of_light(light.b)));
#else
    return FROM == TO ? v : from_xyz(to_xyz(v));
#endif
}

vec4 point(vec4 v) {
    return vec4(scaled(converted(scaled(v.rgb, 0)), 2), v.a);
}
