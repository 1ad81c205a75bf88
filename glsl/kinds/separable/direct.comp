#version 430 core
// A separable filter along one axis: run with AXIS 0, then with AXIS 1. Each invocation sums the neighbours of a unit of ROWS rows
// below each other.
//
// Reads   i_src    the image (AXIS 0), or the output of AXIS 0 (AXIS 1)
//         b_taps   half kernels, see lib/separable.glsl
//         i_beyond with a constant border (AXIS 1): the one row that AXIS 0 makes of the rows beyond the image
//         i_own    the image (SHARPEN)
// Writes  i_dst    sums (AXIS 0), the result (AXIS 1)
// Shared memory    none; invocations are independent, groups come in any order.
// Source           a separable filter as in Gonzalez and Woods, Digital Image Processing, 4th ed., 3.5.
//
// @define AXIS      0|1         along x, along y
// @define BORDER    0|1|2|3|4   lib/border.glsl
// @define CHANNELS  1|2|4       as stored
// @define SRC_DEPTH 8|16|32     bits of a channel
// @define DST_DEPTH 8|16|32     32 after AXIS 0
// @define ALPHA     0|1|2       lib/pixel.glsl
// @define WHOLE     0|1         lib/separable.glsl
// @define SHARPEN   0|1         AXIS 1: whether it ends with lib/unsharp.glsl
// @define ROWS      1|4         4: fewer loads of the same values, where loads limit the speed
// @skip ROWS=4 WHOLE=1
// @skip AXIS=0 SHARPEN=1
// @skip WHOLE=1 SHARPEN=1
// @skip AXIS=0 DST_DEPTH=8
// @skip AXIS=0 DST_DEPTH=16
// @skip AXIS=1 SRC_DEPTH=8
// @skip AXIS=1 SRC_DEPTH=16
// @skip AXIS=0 SRC_DEPTH=32 WHOLE=1
// @skip AXIS=1 DST_DEPTH=32 WHOLE=1
// @skip CHANNELS=1 ALPHA=1
// @skip CHANNELS=1 ALPHA=2
#include "lib/pixel.glsl"
#include "lib/border.glsl"
#include "lib/unsharp.glsl"
#if AXIS == 0
#define SUMS_X
#else
#define SUMS_Y
#endif
#include "lib/separable.glsl"

uniform int u_reach;     // the radius along this axis
uniform float u_scale;   // 1 / the sum of all weights
uniform int u_first_row; // of this dispatch: long work comes in several

layout(local_size_x = 16, local_size_y = 16) in;

ivec2 place() {
    return ivec2(gl_GlobalInvocationID.xy) * ivec2(1, ROWS) + ivec2(0, u_first_row);
}

#if AXIS == 0
uniform int u_beyond; // 1: the rows are those beyond a constant border

uvec4 texel_right(int units, int row) {
    ivec2 at = place();
    return bordered_texel(at.x + units, u_beyond == 1 ? -1 : at.y + row);
}

void main() {
    ivec2 at = place();
    SUM sums[SUM_LANES];
    sum_along_x(u_reach, sums);
    for (int t = 0; t < ROWS * DST_TEXELS; ++t) {
        uvec4 texel;
        for (int lane = 0; lane < 4; ++lane) {
#if WHOLE == 1
            texel[lane] = sums[4 * t + lane];
#else
            texel[lane] = floatBitsToUint(sums[4 * t + lane]);
#endif
        }
        imageStore(i_dst, ivec2(at.x * DST_TEXELS + t % DST_TEXELS, at.y + t / DST_TEXELS), texel);
    }
}
#else
#if BORDER == 4
layout(rgba32ui) readonly uniform uimage2D i_beyond;
#endif

uvec4 sums_at(int x, int row) {
#if BORDER == 4
    return row < 0 ? imageLoad(i_beyond, ivec2(x, 0)) : imageLoad(i_src, ivec2(x, row));
#else
    return imageLoad(i_src, ivec2(x, row));
#endif
}

void sums_below(int rows, out SUM values[UNIT_LANES]) {
    ivec2 at = place();
    int row = border_index(at.y + rows, u_size.y);
    for (int t = 0; t < SRC_TEXELS; ++t) {
        uvec4 texel = sums_at(at.x * SRC_TEXELS + t, row);
        for (int lane = 0; lane < 4; ++lane) {
#if WHOLE == 1
            values[4 * t + lane] = texel[lane];
#else
            values[4 * t + lane] = uintBitsToFloat(texel[lane]);
#endif
        }
    }
}

void main() {
    ivec2 at = place();
    float sums[SUM_LANES];
    sum_along_y(u_reach, sums);
    for (int row = 0; row < ROWS; ++row) {
        float own[UNIT_LANES];
        for (int lane = 0; lane < UNIT_LANES; ++lane) {
            own[lane] = sums[row * UNIT_LANES + lane];
        }
        finish(own, u_scale);
        sharpen(at.x, at.y + row, own);
        store_unit(at.x, at.y + row, own);
    }
}
#endif
