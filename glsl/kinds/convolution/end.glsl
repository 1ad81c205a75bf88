// How sums of a convolution become its result.
// Kind: ending
// @twin SHARPEN=0
// Params: 0 the scale and 1 the offset of the result, 2 the scale of alpha, 3 whether the result has no sign
#include "lib/weighted_end.glsl"

vec4 ended(vec4 sums, vec4 own) {
    return weighted_end(sums, own, param(0), param(1), param(2), param(3) == 1.0);
}
