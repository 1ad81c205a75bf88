// From the values of an HDR or wide-gamut video to values for a screen of standard range with the primaries of BT.709;
// alpha is kept.
//
// Light is in units of the white of the result, 203 cd/m2. The largest of red, green and blue is mapped by the curve of
// BT.2390, and all three are scaled alike, so that hues stay. Colours outside the primaries of BT.709 are clipped.
//
// Source: Rec. ITU-R BT.2100-2 for PQ and HLG; Report ITU-R BT.2390-10, 5.4.1, for the curve; BT.2408-5 for the white.
// Kind: point
// @define CURVE 0|1|2           of the values: 0 PQ, 1 HLG, 2 a power of 2.4, which is not mapped
// @twin DST_DEPTH=8
// Params: 0 a matrix by rows from primaries to primaries; 9 PQ of the peak, its reciprocal, where the mapping begins, 1 / (1 - that),
//         the white on that scale; 14 whether to map
#ifndef CURVE
#define CURVE 0
#endif
#include "lib/elementary.glsl"

#define PQ_M1 0.1593017578125
#define PQ_PER_M1 6.2773946
#define PQ_M2 78.84375
#define PQ_PER_M2 0.012683313
#define PQ_C3 18.6875
#define PQ_REST 0.1640625       // 1 - c1, and c2 - c3
#define PQ_WHITES 49.261084     // 10000 / 203
#define PQ_PER_WHITES 0.0203
#define HLG_A 5.5918157         // 1 / 0.17883277
#define HLG_B 0.28466892
#define HLG_C 0.55991073
#define HLG_WHITES 4.9261084    // 1000 / 203

// With v^(1/m2) as 1 - q: (1 - q - c1) / (c2 - c3 (1 - q)). All bits of q count.
float light_of_pq(float v) {
    precise float exponent = log2_of(v) * PQ_PER_M2;
    precise float q = -growth_of(max(exponent, -0.5));
    precise float above = PQ_REST - q;
    precise float below = PQ_REST + PQ_C3 * q;
    float light = power_of(product_of(above, reciprocal(below)), PQ_PER_M1);
    return v > 0.0 && above > 0.0 ? product_of(light, PQ_WHITES) : 0.0;
}

// (c1 + c2 y) / (1 + c3 y) as (1 + s) / (1 - s) for a small s, whose bits are multiplied by m2.
float pq_of_light(float light) {
    float y = power_of(product_of(light, PQ_PER_WHITES), PQ_M1);
    precise float above = -PQ_REST * (1.0 - y);
    precise float below = 2.0 - PQ_REST + (2.0 * PQ_C3 + PQ_REST) * y;
    precise float exponent = log2_of_sides(above, below) * PQ_M2;
    return exp2_of(exponent);
}

// The light of a scene, 0 to 1.
float scene_of_hlg(float v) {
    precise float square = v * v * 0.33333333;
    precise float exponent = (v - HLG_C) * HLG_A * 1.4426950;
    precise float curved = (exp2_of(exponent) + HLG_B) * 0.083333333;
    return v <= 0.5 ? square : curved;
}

// Of 1000 cd/m2 at most, on a screen in a dim room.
vec3 light_of_hlg(vec3 v) {
    vec3 scene = vec3(scene_of_hlg(v.r), scene_of_hlg(v.g), scene_of_hlg(v.b));
    precise float luma = 0.2627 * scene.r + 0.678 * scene.g + 0.0593 * scene.b;
    precise float gain = power_of(luma, 0.2) * HLG_WHITES;
    precise vec3 light = scene * gain;
    return light;
}

// The PQ that the screen shows where this PQ is asked for.
float mapped(float pq) {
    float knee = param(11);
    float white = param(13);
    precise float e = min(pq * param(10), 1.0);
    precise float t = (e - knee) * param(12);
    precise float t2 = t * t;
    precise float t3 = t2 * t;
    precise float hermite = (2.0 * t3 - 3.0 * t2 + 1.0) * knee + (t3 - 2.0 * t2 + t) * (1.0 - knee) + (3.0 * t2 - 2.0 * t3) * white;
    return product_of(e < knee ? e : hermite, param(9));
}

float mixed(vec3 light, int row) {
    float sum = product_of(param(row), light.r);
    return add_product(add_product(sum, param(row + 1), light.g), param(row + 2), light.b);
}

float value_of(float light) {
    return power_of(clamp(light, 0.0, 1.0), 0.41666667);
}

vec4 point(vec4 v) {
    vec3 values = clamp(v.rgb, 0.0, 1.0);
#if CURVE == 0
    vec3 light = vec3(light_of_pq(values.r), light_of_pq(values.g), light_of_pq(values.b));
    float brightest = max(max(values.r, values.g), values.b);
#elif CURVE == 1
    vec3 light = light_of_hlg(values);
    float brightest = pq_of_light(max(max(light.r, light.g), light.b));
#else
    vec3 light = vec3(power_of(values.r, 2.4), power_of(values.g, 2.4), power_of(values.b, 2.4));
#endif
#if CURVE != 2
    float most = max(max(light.r, light.g), light.b);
    if (param(14) > 0.0 && most > 0.0) {
        float gain = product_of(light_of_pq(mapped(brightest)), reciprocal(most));
        light = vec3(product_of(light.r, gain), product_of(light.g, gain), product_of(light.b, gain));
    }
#endif
    return vec4(value_of(mixed(light, 0)), value_of(mixed(light, 3)), value_of(mixed(light, 6)), v.a);
}
