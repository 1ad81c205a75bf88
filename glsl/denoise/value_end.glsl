// The result from a value, the sum of weighted differences from it, and the sum of the weights.
// Kind: ending
// @twin ALPHA=0
// @twin SHARPEN=0
#define SRC_DEPTH DST_DEPTH
#include "denoise/weights.glsl"

vec4 ended(vec4 sums, vec4 unused) {
    return vec4(moved_value(sums.x, sums.y, sums.z), 0.0, 0.0, 0.0);
}
