// How kinds/gather/affine.comp makes a pixel of its sums.
// Kind: ending
// @twin SHARPEN=0
#define DEPTH DST_DEPTH
#define LIGHT 0
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
