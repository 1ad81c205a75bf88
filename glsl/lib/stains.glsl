// The amounts of three stains, by the light that passes through them. Params 0 to 8 are what one unit of log2(red),
// log2(green) and log2(blue) adds, for each stain. NaN stays.
//
// Source: A. C. Ruifrok, D. A. Johnston, Quantification of histochemical staining by color deconvolution, Anal. Quant. Cytol.
//         Histol. 23(4), 2001.
#include "lib/elementary.glsl"

// Black is as scikit-image has it.
float log_of_light(float v) {
    return is_nan(v) ? v : log2_of(v > 1.0e-6 ? v : 1.0e-6);
}

float stain_sum(vec3 logs, int at) {
    return add_product(add_product(product_of(param(at), logs.r), param(at + 1), logs.g), param(at + 2), logs.b);
}

vec3 stain_sums(vec3 v) {
    vec3 logs = vec3(log_of_light(v.r), log_of_light(v.g), log_of_light(v.b));
    return vec3(stain_sum(logs, 0), stain_sum(logs, 3), stain_sum(logs, 6));
}
