// The level of the class that the luma lies in; alpha is kept.
// Kind: point
// Params: 0 to 8 see lib/point_luma.glsl, then 4 thresholds in rising order. Of each: the threshold of floats, the least luma of
//         integers that is above it, in parts of 2^15 and of 1, and the level of the class above it. Where there are fewer
//         thresholds, the last one stands again.
#include "lib/point_luma.glsl"

vec4 point(vec4 v) {
#if SRC_DEPTH == 32
    float luma = value_luma(v.rgb);
#else
    uint luma = code_luma(v.rgb);
#endif
    float level = 0.0;
    for (int i = 9; i < 25; i += 4) {
#if SRC_DEPTH == 32
        bool is_above = luma > param(i);
#else
        bool is_above = luma >= uint(param(i + 1)) * 32768u + uint(param(i + 2));
#endif
        level = is_above ? param(i + 3) : level;
    }
    return vec4(vec3(level), v.a);
}
