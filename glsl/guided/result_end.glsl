// The result of guided/result.comp from a value of the guide, and the slope and the height of its mean line.
// Kind: ending
// @twin ALPHA=0
// @twin SHARPEN=0
// Params: 0 the middle of the range
#include "guided/lines.glsl"

vec4 ended(vec4 line, vec4 unused) {
    return vec4(on_line(line.x, line.y, line.z, param(0)), 0.0, 0.0, 0.0);
}
