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
// @define ENTRY 1|2         kinds/point.comp; 0 where colours do not come in by entered()
// @define FROM 0|1|3|5|7    as ColourSpace of color.hpp, 0 to 8
// @define TO   0|2|4|6|8
// @twin FROM TO
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

#define IS_ENTERED (FROM == 0 && !IS_ENCODED(TO))

vec3 light_of_values(vec3 v) {
    return vec3(light_of_value(v.r), light_of_value(v.g), light_of_value(v.b));
}

// The light of values on the curve of sRGB, which need no scaling.
vec3 entered(vec3 v) {
    return IS_ENTERED ? light_of_values(v) : v;
}

vec3 converted(vec3 v) {
    if (IS_ENCODED(FROM) && IS_ENCODED(TO)) {
        return from_encoded(to_encoded(v));
    }
    if (IS_ENCODED(FROM)) {
        vec3 light = IS_ENTERED ? v : light_of_values(to_encoded(v));
        return TO == 1 ? light : from_xyz(through(light, 12));
    }
    if (IS_ENCODED(TO)) {
        vec3 light = FROM == 1 ? v : through(to_xyz(v), 21);
        return from_encoded(vec3(value_of_light(light.r), value_of_light(light.g), value_of_light(light.b)));
    }
    return FROM == TO ? v : from_xyz(to_xyz(v));
}

// Hue, saturation and lightness of codes are quotients of whole numbers below 256, so one that is all but halfway between two codes
// is halfway.
vec3 in_codes_of_hue(vec3 v) {
    precise vec3 code = v * 255.0;
    precise vec3 nearest = floor(code * 2.0 + 0.5) * 0.5;
    bvec3 is_half = lessThan(abs(code - nearest), vec3(5.0e-4));
    precise vec3 whole = (mix(code, nearest, is_half) + 8388608.0) - 8388608.0; // rounds, half to even
    return whole * FROM_CODE;
}

vec4 point(vec4 v) {
    vec3 own = IS_ENTERED ? v.rgb : scaled(v.rgb, 0);
    vec3 made = scaled(converted(own), 2);
#if SRC_DEPTH == 8 && DST_DEPTH == 8
    if (FROM == 0 && (TO == 6 || TO == 7)) {
        made = in_codes_of_hue(made);
    }
#endif
    return vec4(made, v.a);
}
