#version 430 core
// Between codes on the sRGB curve and linear light as floats. Both ways are looked up in tables made in double
// precision, so that every driver gives the same answer; alpha is on no curve.
//
// To linear light (DST_DEPTH 32):
// Reads   i_src     the image
//         b_curve   the linear value of each code
// Back (SRC_DEPTH 32):
// Reads   i_src     linear light
//         b_curve   where each code but the first begins: 2^DST_DEPTH - 1 values, rising
// Writes  i_dst     the image in the other form
// Shared memory     none; invocations are independent, groups come in any order.
// Source            IEC 61966-2-1:1999, the transfer function of sRGB
//
// @define CHANNELS  1|2|4     as stored
// @define SRC_DEPTH 8|16|32   bits of a channel
// @define DST_DEPTH 8|16|32
// @define HAS_ALPHA 0|1       1: the last channel is alpha
// @skip SRC_DEPTH=8 DST_DEPTH=8
// @skip SRC_DEPTH=8 DST_DEPTH=16
// @skip SRC_DEPTH=16 DST_DEPTH=8
// @skip SRC_DEPTH=16 DST_DEPTH=16
// @skip SRC_DEPTH=32 DST_DEPTH=32
// @skip CHANNELS=1 HAS_ALPHA=1
#define ALPHA 0
#include "lib/pixel.glsl"

layout(local_size_x = 32, local_size_y = 4) in;

layout(std430) readonly buffer b_curve { float curve[]; };

#if DST_DEPTH == 32
#define CODES (1 << SRC_DEPTH)
float on_curve(float code) {
    return curve[int(code)];
}
float alpha_value(float code) {
    return product_of(code, 1.0 / float(CODES - 1)); // a quotient would differ from driver to driver
}
#else
#define CODES (1 << DST_DEPTH)
// As many codes begin at or below `linear`.
float on_curve(float linear) {
    int code = 0;
    for (int half_left = CODES / 2; half_left > 0; half_left /= 2) {
        if (linear >= curve[code + half_left - 1]) {
            code += half_left;
        }
    }
    return float(code);
}
float alpha_value(float alpha) {
    return product_of(alpha, float(CODES - 1));
}
#endif

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    float values[UNIT_LANES];
    for (int lane = 0; lane < UNIT_LANES; ++lane) {
        uvec4 texel = imageLoad(i_src, ivec2(at.x * SRC_TEXELS + lane / SRC_LANES, at.y));
        float value = lane_value(texel, lane % SRC_LANES);
        bool is_alpha = HAS_ALPHA == 1 && lane % CHANNELS == CHANNELS - 1;
        values[lane] = is_alpha ? alpha_value(value) : on_curve(value);
    }
    store_unit(at.x, at.y, values);
}
