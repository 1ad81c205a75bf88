// Both axes of a separable filter in one pass: one group for one tile.
//
// GROUP_W x GROUP_H invocations, a unit each, work on a tile of GROUP_W units x (GROUP_H - 2 ry) rows. The group copies
// the tile and its neighbourhood (RADIUS_UNITS texels left and right, ry rows above and below) into s_pixel, sums
// along x into s_row, and the first GROUP_H - 2 ry rows of invocations sum along y and store. Numerator and sum of
// weights are carried side by side, so that weights may depend on the data.
//
// Source and result have the same format. Shared bytes: GROUP_H * (16 * (GROUP_W + 2 * RADIUS_UNITS) + 4 * GROUP_W *
// (UNIT_LANES + UNIT_PIXELS)).
#define DST_DEPTH SRC_DEPTH
#include "lib/sync.glsl"
#include "lib/pixel.glsl"
#include "lib/border.glsl"
#include "lib/separable.glsl"

uniform ivec2 u_reach; // the radius along each axis; x at most RADIUS_UNITS * UNIT_PIXELS, y below GROUP_H / 2

layout(local_size_x = GROUP_W, local_size_y = GROUP_H) in;

#define PIXEL_W (GROUP_W + 2 * RADIUS_UNITS)

shared uvec4 s_pixel[GROUP_H * PIXEL_W];
shared float s_row[GROUP_H * GROUP_W * UNIT_LANES];
shared float s_row_weight[GROUP_H * GROUP_W * UNIT_PIXELS];

// Where a lane of the unit of invocation (x, y) lies in s_row, and likewise a pixel in s_row_weight.
int row_index(ivec2 at, int lane, int lanes) {
    return (at.y * lanes + lane) * GROUP_W + at.x;
}

void copy_neighbourhood(ivec2 at, ivec2 tile) {
    int y = border_index(tile.y + at.y - u_reach.y, u_size.y);
    for (int x = at.x; x < PIXEL_W; x += GROUP_W) {
        s_pixel[at.y * PIXEL_W + x] = bordered_texel(tile.x + x - RADIUS_UNITS, y);
    }
}

void sum_along_x(ivec2 at) {
    float sums[UNIT_LANES];
    float excess[UNIT_LANES];
    clear(sums);
    clear(excess);
    int units = (u_reach.x + UNIT_PIXELS - 1) / UNIT_PIXELS;
    for (int first = -units; first <= units; first += PART_UNITS) {
        float part[UNIT_LANES];
        clear(part);
        for (int u = first; u <= min(first + PART_UNITS - 1, units); ++u) {
            uvec4 texels[SRC_TEXELS] = uvec4[](s_pixel[at.y * PIXEL_W + at.x + RADIUS_UNITS + u]);
            float values[UNIT_LANES];
            unpack_unit(texels, values);
            premultiply(values);
            accumulate_unit(0, u * UNIT_PIXELS, values, part);
        }
        add_part(part, sums, excess);
    }
    float weight = 0.0;
    for (int d = -u_reach.x; d <= u_reach.x; ++d) {
        weight += tap(0, d);
    }
    for (int lane = 0; lane < UNIT_LANES; ++lane) {
        s_row[row_index(at, lane, UNIT_LANES)] = sums[lane];
    }
    for (int p = 0; p < UNIT_PIXELS; ++p) {
        s_row_weight[row_index(at, p, UNIT_PIXELS)] = weight;
    }
}

// Adds the row sums at `from`, which lie `d` rows below the unit's own.
void add_row(ivec2 from, int d, inout float sums[UNIT_LANES], inout float weights[UNIT_PIXELS]) {
    float weight = tap(1, d);
    for (int lane = 0; lane < UNIT_LANES; ++lane) {
        sums[lane] += channel_tap(lane % CHANNELS, d, weight) * s_row[row_index(from, lane, UNIT_LANES)];
    }
    for (int p = 0; p < UNIT_PIXELS; ++p) {
        weights[p] += weight * s_row_weight[row_index(from, p, UNIT_PIXELS)];
    }
}

void sum_along_y(ivec2 at, ivec2 tile) {
    float sums[UNIT_LANES];
    float excess[UNIT_LANES];
    float weights[UNIT_PIXELS];
    clear(sums);
    clear(excess);
    for (int p = 0; p < UNIT_PIXELS; ++p) {
        weights[p] = 0.0;
    }
    for (int first = -u_reach.y; first <= u_reach.y; first += PART_PIXELS) {
        float part[UNIT_LANES];
        clear(part);
        for (int d = first; d <= min(first + PART_PIXELS - 1, u_reach.y); ++d) {
            add_row(at + ivec2(0, u_reach.y + d), d, part, weights);
        }
        add_part(part, sums, excess);
    }
    for (int lane = 0; lane < UNIT_LANES; ++lane) {
        sums[lane] /= channel_tap(lane % CHANNELS, 0, weights[lane / CHANNELS]);
    }
    unpremultiply(sums);
    store_unit(tile.x + at.x, tile.y + at.y, sums);
}

void separable_tiled() {
    ivec2 at = ivec2(gl_LocalInvocationID.xy);
    int rows = GROUP_H - 2 * u_reach.y;
    ivec2 tile = ivec2(gl_WorkGroupID.xy) * ivec2(GROUP_W, rows);
    copy_neighbourhood(at, tile);
    wg_sync();
    sum_along_x(at);
    wg_sync();
    if (at.y < rows) {
        sum_along_y(at, tile);
    }
}
