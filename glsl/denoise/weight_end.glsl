// The weights of patches by their sums of squared differences.
// Kind: ending
// @twin DST_DEPTH=32
// @twin ALPHA=0
// @twin SHARPEN=0
// Params: 0 sums up to this weigh 1, 1 how fast weights fall beyond it, in powers of 2
#define SRC_DEPTH 32
#include "denoise/weights.glsl"

vec4 ended(vec4 sums, vec4 unused) {
    return vec4(patch_weight(sums.x, param(0), param(1)), patch_weight(sums.y, param(0), param(1)),
                patch_weight(sums.z, param(0), param(1)), patch_weight(sums.w, param(0), param(1)));
}
