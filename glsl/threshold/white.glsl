// Whether a pixel is white by Sauvola's rule, for kernels that compare it with the means around it.
// Kind: ending
// @twin DST_DEPTH=32
// @twin ALPHA=0
// @twin SHARPEN=0
// Params: 0 k
#include "lib/sauvola.glsl"

// Pairs of a value and its square become 1 or 0, whether the value is white, and 0.
vec4 ended(vec4 values, vec4 means) {
    return vec4(float(is_white_by_moments(values.x, means.x, means.y, param(0))), 0.0,
                float(is_white_by_moments(values.z, means.z, means.w, param(0))), 0.0);
}
