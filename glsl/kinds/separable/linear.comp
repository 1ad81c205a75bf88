#version 430 core
// Between codes on the sRGB curve and linear light as floats, by the tables of lib/light.glsl.
//
// To linear light (DST_DEPTH 32):
// Reads   i_src     the image
//         b_light   the linear value of each code
// Back (SRC_DEPTH 32):
// Reads   i_src     linear light
//         b_codes   where each code but the first begins
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

#if DST_DEPTH == 32
#define LIGHT_BITS SRC_DEPTH
#define TO_LIGHT
#define VALUE_OF light_of
#define ALPHA_OF alpha_of
#else
#define LIGHT_BITS DST_DEPTH
#define FROM_LIGHT
#define VALUE_OF code_of_light
#define ALPHA_OF code_of_alpha
#endif
#include "lib/light.glsl"

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    float values[UNIT_LANES];
    for (int lane = 0; lane < UNIT_LANES; ++lane) {
        uvec4 texel = imageLoad(i_src, ivec2(at.x * SRC_TEXELS + lane / SRC_LANES, at.y));
        float value = lane_value(texel, lane % SRC_LANES);
        bool is_alpha = HAS_ALPHA == 1 && lane % CHANNELS == CHANNELS - 1;
        values[lane] = is_alpha ? ALPHA_OF(value) : VALUE_OF(value);
    }
    store_unit(at.x, at.y, values);
}
