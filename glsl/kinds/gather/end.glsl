// How kernels of kinds/gather/ make a pixel of its sums.
// Kind: ending
// @define LIGHT 0|1   1: sums are of linear light, and so is the result
// @twin SHARPEN=0
#if LIGHT == 1
#define DEPTH 0 // of codes, whichever
#else
#define DEPTH DST_DEPTH
#endif
#include "lib/unweighted.glsl"

vec4 ended(vec4 sums, vec4 unused) {
    vec4 result = sums;
#if ALPHA == 1
    for (int lane = 0; lane < 4; ++lane) {
        int alpha = lane / CHANNELS * CHANNELS + CHANNELS - 1;
        result[lane] = lane == alpha ? sums[lane] : unweighted(sums[lane], sums[alpha]);
    }
#endif
    return result;
}
