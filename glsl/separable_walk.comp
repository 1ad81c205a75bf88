#version 430 core
// Both axes of a separable filter in one pass and without shared memory: each invocation walks down a column of texels.
//
// It sums every row along x, from the texels around its own, and adds the sums to the 2 RADIUS + 1 rows of the result
// that are under way, of which the oldest is then done.
//
// Reads   i_src    the image
// Writes  i_dst    the result, of the same format
// Group grid       x covers the texels, y the rows, u_rows an invocation
// Shared memory    none; invocations are independent, groups come in any order.
// Source           a separable filter as in Gonzalez and Woods, Digital Image Processing, 4th ed., 3.5.
//
// @define BORDER    0|1|2|3|4     lib/border.glsl
// @define CHANNELS  1|2|4         as stored
// @define SRC_DEPTH 8|16|32       bits of a channel
// @define ALPHA     0|1|2         lib/pixel.glsl
// @define RADIUS    2|4|8|12      at least the radius of both axes
// @skip CHANNELS=1 ALPHA=1
// @skip CHANNELS=1 ALPHA=2
#define DST_DEPTH SRC_DEPTH
#include "lib/pixel.glsl"
#include "lib/border.glsl"
#include "lib/half_kernels.glsl"

layout(local_size_x = 16, local_size_y = 1) in;

uniform int u_rows;

#define AROUND (2 * REACH + 1)

// The texels of a row that the invocation depends on.
void load_row(int first, bool whole, int y, out uvec4 texels[AROUND]) {
    int row = border_index(y, u_size.y);
    for (int t = 0; t < AROUND; ++t) {
        uvec4 texel = imageLoad(i_src, ivec2(first + t, row));
        texels[t] = row < 0 ? u_border_texel : texel;
    }
    // A loop that runs once or never, not an if: renderers that run both sides of an if skip a loop nobody enters.
    for (int turns = whole ? 0 : 1; turns > 0; --turns) {
        for (int t = 0; t < AROUND; ++t) {
            texels[t] = bordered_texel(first + t, row);
        }
    }
}

void sum_row(uvec4 texels[AROUND], out float sums[UNIT_LANES]) {
    for (int lane = 0; lane < UNIT_LANES; ++lane) {
        sums[lane] = 0.0;
    }
    for (int t = 0; t < AROUND; ++t) {
        add_texel(t - REACH, texels[t], sums);
    }
}

// sums[i][lane] is what row y + i - RADIUS of the result has so far; the first is then done.
void add_row(float row[UNIT_LANES], inout float sums[2 * RADIUS + 1][UNIT_LANES]) {
    for (int lane = 0; lane < UNIT_LANES; ++lane) {
        for (int i = 0; i <= 2 * RADIUS; ++i) {
            int distance = i - RADIUS;
            float before = i < 2 * RADIUS ? sums[i + 1][lane] : 0.0;
            // From the first tap, which is the farthest row above: the last of the sums to begin with.
            sums[i][lane] = add_tap(before, channel_tap(lane % CHANNELS, distance, u_taps_y[abs(distance)]), row[lane]);
        }
    }
}

void main() {
    int unit = int(gl_GlobalInvocationID.x);
    int begin = int(gl_GlobalInvocationID.y) * u_rows;
    int end = min(begin + u_rows, u_size.y);
    bool whole = unit >= REACH && (unit + 1 + REACH) * SRC_PIXELS <= u_size.x;
    float sums[2 * RADIUS + 1][UNIT_LANES];
    for (int i = 0; i <= 2 * RADIUS; ++i) {
        for (int lane = 0; lane < UNIT_LANES; ++lane) {
            sums[i][lane] = 0.0;
        }
    }
    for (int y = begin - RADIUS; y < end + RADIUS; ++y) {
        uvec4 texels[AROUND];
        load_row(unit - REACH, whole, y, texels);
        float row[UNIT_LANES];
        sum_row(texels, row);
        add_row(row, sums);
        if (y >= begin + RADIUS) {
            float result[UNIT_LANES] = sums[0];
            finish(result, u_scale);
            store_unit(unit, y - RADIUS, result);
        }
    }
}
