#version 430 core
// Both axes of a separable filter in one pass: one group for one tile.
//
// GROUP_W x GROUP_H invocations, a unit each, work on a tile of GROUP_W units x (GROUP_H - 2 ry) rows. The group copies
// the tile and its neighbourhood into s_pixel: RADIUS_UNITS texels left and right, ry rows above and below. It sums
// along x into s_row. Then the first GROUP_H - 2 ry rows of invocations sum along y and store. Numerator and sum of
// weights are kept side by side, so that weights may depend on the data.
//
// Reads   i_src    the image
//         b_taps   half kernels, see lib/separable.glsl
//         i_own    the image once more (SHARPEN)
// Writes  i_dst    the result, same size and format
// Shared bytes     GROUP_H * (16 * (GROUP_W + 2 * RADIUS_UNITS) + 4 * GROUP_W * (UNIT_LANES + UNIT_PIXELS)); groups
//                  are independent and come in any order.
// Source           V. Podlozhnyuk, Image Convolution with CUDA, NVIDIA 2007: apron in shared memory, rows then columns;
//                  here both in one pass.
//
// @define BORDER       0|1|2|3|4   lib/border.glsl
// @define CHANNELS     1|2|4       as stored
// @define SRC_DEPTH    8|16|32     bits of a channel
// @define ALPHA        0|1|2       lib/pixel.glsl
// @define WHOLE        0|1         lib/separable.glsl
// @define GROUP_W      2|8         units of a tile's row
// @define GROUP_H      32|64       rows of a group; a tile has 2 ry fewer
// @define RADIUS_UNITS 1|4         texels of the neighbourhood left and right
// @define SHARPEN      0|1         whether it ends with lib/unsharp.glsl
// @skip SRC_DEPTH=32 WHOLE=1
// @skip WHOLE=1 SHARPEN=1
// @skip CHANNELS=1 ALPHA=1
// @skip CHANNELS=1 ALPHA=2
#define DST_DEPTH SRC_DEPTH
#include "lib/sync.glsl"
#include "lib/pixel.glsl"
#include "lib/border.glsl"
#include "lib/unsharp.glsl"
#define SUMS_X
#define SUMS_Y
#include "lib/separable.glsl"

uniform ivec2 u_reach; // the radius along each axis; x at most RADIUS_UNITS * UNIT_PIXELS, y below GROUP_H / 2

layout(local_size_x = GROUP_W, local_size_y = GROUP_H) in;

#define PIXEL_W (GROUP_W + 2 * RADIUS_UNITS)

shared uvec4 s_pixel[GROUP_H * PIXEL_W];
shared SUM s_row[GROUP_H * GROUP_W * UNIT_LANES];
shared float s_row_weight[GROUP_H * GROUP_W * UNIT_PIXELS];

ivec2 place() {
    return ivec2(gl_LocalInvocationID.xy);
}

// Where a lane of the unit of invocation (x, y) lies in s_row; a pixel lies likewise in s_row_weight.
int row_index(ivec2 at, int lane, int lanes) {
    return (at.y * lanes + lane) * GROUP_W + at.x;
}

uvec4 texel_right(int units, int row) {
    ivec2 at = place();
    return s_pixel[at.y * PIXEL_W + at.x + RADIUS_UNITS + units];
}

// The first rows of the group are the rows above the tile.
void sums_below(int rows, out SUM values[UNIT_LANES]) {
    ivec2 from = place() + ivec2(0, u_reach.y + rows);
    for (int lane = 0; lane < UNIT_LANES; ++lane) {
        values[lane] = s_row[row_index(from, lane, UNIT_LANES)];
    }
}

void copy_neighbourhood(ivec2 at, ivec2 tile) {
    int y = border_index(tile.y + at.y - u_reach.y, u_size.y);
    for (int x = at.x; x < PIXEL_W; x += GROUP_W) {
        s_pixel[at.y * PIXEL_W + x] = bordered_texel(tile.x + x - RADIUS_UNITS, y);
    }
}

void share_row(ivec2 at) {
    SUM sums[UNIT_LANES];
    sum_along_x(u_reach.x, sums);
    float weight = 0.0;
    for (int d = -u_reach.x; d <= u_reach.x; ++d) {
        weight = add_product(weight, 1.0, float(tap(0, d)));
    }
    for (int lane = 0; lane < UNIT_LANES; ++lane) {
        s_row[row_index(at, lane, UNIT_LANES)] = sums[lane];
    }
    for (int p = 0; p < UNIT_PIXELS; ++p) {
        s_row_weight[row_index(at, p, UNIT_PIXELS)] = weight;
    }
}

// The sum of the weights of a pixel, rounded as scale_of() of the host does it.
float weight_of(ivec2 at, int pixel) {
    float weight = 0.0;
    for (int d = -u_reach.y; d <= u_reach.y; ++d) {
        float row = s_row_weight[row_index(at + ivec2(0, u_reach.y + d), pixel, UNIT_PIXELS)];
        weight = add_product(weight, float(tap(1, d)), row);
    }
    return weight;
}

void main() {
    ivec2 at = place();
    int rows = GROUP_H - 2 * u_reach.y;
    ivec2 tile = ivec2(gl_WorkGroupID.xy) * ivec2(GROUP_W, rows);
    copy_neighbourhood(at, tile);
    wg_sync();
    share_row(at);
    wg_sync();
    if (at.y < rows) {
        float sums[UNIT_LANES];
        sum_along_y(u_reach.y, sums);
        finish(sums, reciprocal(weight_of(at, 0))); // so far all pixels of a unit have the same
        sharpen(tile.x + at.x, tile.y + at.y, sums);
        store_unit(tile.x + at.x, tile.y + at.y, sums);
    }
}
