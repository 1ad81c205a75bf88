// The colour spaces of color.glsl: each to and from encoded red, green and blue, or XYZ. Needs FROM and TO, which are asked for by `if`
// alone, so that twins can have them as numbers.
#include "lib/elementary.glsl"
#include "lib/float_bits.glsl"

// Whether a space is on the curve of sRGB: srgb, hsv, hsl, ycbcr.
#define IS_ENCODED(space) ((space) == 0 || (space) >= 6)

#define BEND 0.20689655        // 6 / 29, where the root of CIE's formulas becomes a line
#define LINE_SLOPE 0.12841855  // 3 x BEND x BEND
#define LINE_START 0.13793103  // 4 / 29
#define WHITE vec3(0.95047, 1.0, 1.08883)
#define PER_WHITE vec3(1.0521111, 1.0, 0.91841701)

float quotient(float above, float below) {
    float divisor = without_denormal(below);
    return divisor == 0.0 ? 0.0 : without_denormal(product_of(without_denormal(above), reciprocal(divisor)));
}

// A vector times the matrix that begins at a parameter.
vec3 through(vec3 v, int first) {
    vec3 result;
    for (int row = 0; row < 3; ++row) {
        int at = first + 3 * row;
        result[row] = add_product(add_product(product_of(param(at), v.x), param(at + 1), v.y), param(at + 2), v.z);
    }
    return result;
}

// Here and below NaN stays what it is, as comparisons do not tell on every driver.
float light_of_value(float v) {
    if (is_nan(v)) {
        return v;
    }
    precise float shifted = (v + 0.055) * 0.94786730;
    return v <= 0.04045 ? product_of(v, 0.077399381) : power_of(shifted, 2.4);
}

float value_of_light(float v) {
    if (is_nan(v)) {
        return v;
    }
    precise float curved = 1.055 * power_of(v, 0.41666667) - 0.055;
    return v <= 0.0031308 ? product_of(v, 12.92) : curved;
}

float rooted(float t) {
    if (is_nan(t)) {
        return t;
    }
    precise float line = t * 7.7870370 + LINE_START;
    return t > 0.0088564517 ? power_of(t, 0.33333333) : line;
}

float cubed(float f) {
    precise float cube = f * f * f;
    precise float line = LINE_SLOPE * (f - LINE_START);
    return f > BEND ? cube : line;
}

float lightness_of(float y) {
    precise float lightness = 116.0 * y - 16.0;
    return lightness;
}

vec3 lab_of(vec3 xyz) {
    precise vec3 t = xyz * PER_WHITE;
    vec3 f = vec3(rooted(t.x), rooted(t.y), rooted(t.z));
    precise float a = 500.0 * (f.x - f.y);
    precise float b = 200.0 * (f.y - f.z);
    return vec3(lightness_of(f.y), a, b);
}

vec3 xyz_of_lab(vec3 lab) {
    precise float y = (lab.x + 16.0) * 0.0086206897;
    precise float x = y + lab.y * 0.002;
    precise float z = y - lab.z * 0.005;
    precise vec3 xyz = WHITE * vec3(cubed(x), cubed(y), cubed(z));
    return xyz;
}

vec3 luv_of(vec3 xyz) {
    precise float sum = xyz.x + 15.0 * xyz.y + 3.0 * xyz.z;
    float lightness = lightness_of(rooted(xyz.y));
    float per_sum = quotient(1.0, sum);
    precise float u = 13.0 * lightness * (4.0 * xyz.x * per_sum - param(30));
    precise float v = 13.0 * lightness * (9.0 * xyz.y * per_sum - param(31));
    return sum == 0.0 ? vec3(lightness, 0.0, 0.0) : vec3(lightness, u, v);
}

vec3 xyz_of_luv(vec3 luv) {
    precise float y = cubed((luv.x + 16.0) * 0.0086206897);
    float per_lightness = quotient(0.076923077, luv.x);
    precise float u = luv.y * per_lightness + param(30);
    precise float v = luv.z * per_lightness + param(31);
    float per_v = luv.x == 0.0 ? 0.0 : quotient(0.25, v);
    precise float x = y * (9.0 * u) * per_v;
    precise float z = y * (12.0 - 3.0 * u - 20.0 * v) * per_v;
    return vec3(x, y, z);
}

// The sine and the cosine of an angle in degrees.
vec2 sine_and_cosine(float degrees) {
    precise float quarters = degrees * 0.011111111;
    float whole = floor(quarters);
    precise float f = quarters - whole;
    precise float rest = 1.0 - f;
    float rising = quarter_sine(f);
    float falling = quarter_sine(rest);
    precise float turn = whole - 4.0 * floor(whole * 0.25); // a float, as whole may be too large for an int
    vec2 pair = turn == 1.0 || turn == 3.0 ? vec2(falling, -rising) : vec2(rising, falling);
    return turn >= 2.0 ? -pair : pair;
}

// With 8 bits half a hue is a code, and code 180 would be 0 again. With EVERY_HUE hues do not become codes.
float kept_hue(float hue) {
#if DST_DEPTH == 8 && !defined(EVERY_HUE)
    return hue >= 359.0 ? 0.0 : hue;
#else
    return hue;
#endif
}

vec3 lch_of_lab(vec3 lab) {
    float hue = product_of(angle_of(lab.z, lab.y), 57.295780);
    float chroma = length_of(lab.y, lab.z);
    precise float turned = hue + 360.0;
    return vec3(lab.x, chroma, chroma < 0.02 ? 0.0 : kept_hue(hue < 0.0 ? turned : hue)); // a grey has no hue
}

vec3 lab_of_lch(vec3 lch) {
    vec2 along = sine_and_cosine(lch.z);
    return vec3(lch.x, product_of(lch.y, along.y), product_of(lch.y, along.x));
}

vec3 to_xyz(vec3 v) {
    if (FROM == 1) {
        return through(v, 12);
    }
    if (FROM == 3) {
        return xyz_of_lab(v);
    }
    if (FROM == 4) {
        return xyz_of_lab(lab_of_lch(v));
    }
    return FROM == 5 ? xyz_of_luv(v) : v;
}

vec3 from_xyz(vec3 xyz) {
    if (TO == 1) {
        return through(xyz, 21);
    }
    if (TO == 3) {
        return lab_of(xyz);
    }
    if (TO == 4) {
        return lch_of_lab(lab_of(xyz));
    }
    return TO == 5 ? luv_of(xyz) : xyz;
}

// One of red, green and blue by its distance from the hue, in sixths of the circle.
float of_hue(float sixths, float least, float range) {
    precise float turn = sixths - 6.0 * floor(sixths * 0.16666667);
    precise float share = abs(turn - 3.0) - 1.0;
    return add_product(least, range, clamp(share, 0.0, 1.0));
}

vec3 rgb_of_hue(float hue, float least, float range) {
    precise float sixths = hue * 0.016666667;
    return vec3(of_hue(sixths, least, range), of_hue(sixths + 4.0, least, range), of_hue(sixths + 2.0, least, range));
}

float hue_of(vec3 rgb, float most, float range) {
    vec3 next = most == rgb.r ? vec3(rgb.g, rgb.b, 0.0) : most == rgb.g ? vec3(rgb.b, rgb.r, 120.0) : vec3(rgb.r, rgb.g, 240.0);
    precise float apart = next.x - next.y;
    precise float hue = next.z + 60.0 * quotient(apart, range);
    precise float turned = hue + 360.0;
    return kept_hue(hue < 0.0 ? turned : hue);
}

vec3 to_encoded(vec3 v) {
    if (FROM == 6) {
        float range = product_of(v.z, v.y);
        precise float least = v.z - range;
        return rgb_of_hue(v.x, least, range);
    }
    if (FROM == 7) {
        precise float room = 1.0 - abs(2.0 * v.z - 1.0);
        float range = product_of(room, v.y);
        precise float least = v.z - 0.5 * range;
        return rgb_of_hue(v.x, least, range);
    }
    if (FROM == 8) {
        precise float red = v.x + 1.402 * (v.z - 0.5);
        precise float blue = v.x + 1.772 * (v.y - 0.5);
        precise float green = v.x - 0.34413629 * (v.y - 0.5) - 0.71413629 * (v.z - 0.5);
        return vec3(red, green, blue);
    }
    return v;
}

// Integer images are counted in codes: differences of codes are exact, also where they are small, in colours that are almost grey.
#if SRC_DEPTH < 32
#define WHOLE (FROM == 0 ? float((1 << SRC_DEPTH) - 1) : 1.0)
#define PER_WHOLE (FROM == 0 ? FROM_CODE : 1.0)
vec3 in_whole(vec3 v) {
    return FROM == 0 ? floor(v * WHOLE + 0.5) : v;
}
#else
#define WHOLE 1.0
#define PER_WHOLE 1.0
vec3 in_whole(vec3 v) {
    return v;
}
#endif

vec3 from_encoded(vec3 rgb) {
    if (TO == 6 || TO == 7) {
        rgb = in_whole(rgb);
    }
    float most = max(max(rgb.r, rgb.g), rgb.b);
    float least = min(min(rgb.r, rgb.g), rgb.b);
    precise float range = most - least;
    if (TO == 6) {
        return vec3(hue_of(rgb, most, range), quotient(range, most), product_of(most, PER_WHOLE));
    }
    if (TO == 7) {
        precise float twice = most + least;
        precise float room = WHOLE - abs(twice - WHOLE);
        precise float lightness = twice * (0.5 * PER_WHOLE);
        return vec3(hue_of(rgb, most, range), quotient(range, room), lightness);
    }
    if (TO == 8) {
        precise float luma = 0.299 * rgb.r + 0.587 * rgb.g + 0.114 * rgb.b;
        precise float blue = (rgb.b - luma) * 0.56433409 + 0.5;
        precise float red = (rgb.r - luma) * 0.71326676 + 0.5;
        return vec3(luma, blue, red);
    }
    return rgb;
}
