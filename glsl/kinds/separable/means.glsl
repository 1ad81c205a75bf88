// How kinds/separable/direct.comp makes the result of its sums.
// Kind: ending
// Params: 0 the factor of the sums, 1 the amount and 2 the threshold of unsharp masking, in code units
#include "lib/ending.glsl"

vec4 ended(vec4 sums, vec4 own) {
    vec4 means = finished(sums, param(0));
#if SHARPEN == 1
    for (int lane = 0; lane < 4; ++lane) {
        means[lane] = sharpened_value(own[lane], means[lane], lane, param(1), param(2));
    }
#endif
    return means;
}
