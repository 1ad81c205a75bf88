// The line of a window from the means that guided/lines.comp reads: of values, of products, of the guide and of its squares.
// Kind: ending
// @twin DST_DEPTH=32
// @twin ALPHA=0
// @twin SHARPEN=0
// Params: 0 eps, in squared code units; 1 whether the guide is another picture
#include "guided/lines.glsl"

vec4 ended(vec4 means, vec4 unused) {
    float variance = covariance(means.w, means.z, means.z);
    float shared_variance = covariance(means.y, means.x, means.z);
    float slope = slope_of(param(1) == 1.0 ? shared_variance : max(variance, 0.0), variance, param(0));
    return vec4(slope, height_of(means.x, slope, means.z), 0.0, 0.0);
}
