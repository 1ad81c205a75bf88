#version 430 core
// Both axes of a separable filter in one pass and without shared memory: each invocation walks down a column of texels.
//
// It takes ROWS rows per turn. It sums them along x, from the texels around its own. It adds the sums to the 2 RADIUS +
// ROWS rows of the result that are under way. The oldest ROWS of them are then done.
//
// Reads   i_src    the image
//         i_own    the image once more (SHARPEN)
// Writes  i_dst    the result, of the same format
// Group grid       x covers the units, y the rows, u_rows an invocation
// Shared memory    none; invocations are independent, groups come in any order.
// Source           a separable filter as in Gonzalez and Woods, Digital Image Processing, 4th ed., 3.5.
//
// @define BORDER    0|1|2|3|4     lib/border.glsl
// @define CHANNELS  1|2|4         as stored
// @define PADDED    0|1           1: the last channel is padding, and is not summed
// @define SRC_DEPTH 8|16|32       bits of a channel
// @define ALPHA     0|1|2         lib/pixel.glsl
// @define RADIUS    2|4|8|12      at least the radius of both axes
// @define SHARPEN   0|1           whether it ends with lib/unsharp.glsl
// @skip CHANNELS=1 ALPHA=1
// @skip CHANNELS=1 ALPHA=2
// @skip CHANNELS=1 PADDED=1
// @skip CHANNELS=2 PADDED=1
// @skip PADDED=1 ALPHA=1
// @skip PADDED=1 ALPHA=2
#define DST_DEPTH SRC_DEPTH
#define UNIT_LANES 16 // several texels share the pixels they load
#define LOOKS_AT_DST
#include "lib/pixel.glsl"
#include "lib/border.glsl"
#include "lib/look.glsl"
#include "lib/unsharp.glsl"
#include "lib/half_kernels.glsl"

#define ROWS 2 // of a turn; with 4 the loop is longer than the cache of instructions
#define SUMMED (CHANNELS - PADDED)
#define AROUND (SRC_TEXELS + 2 * REACH) // texels of a row that a unit depends on
#define CARRIED (2 * RADIUS)            // rows of the result that are under way between turns
#include "lib/around.glsl"

layout(local_size_x = 16, local_size_y = 1) in;

uniform int u_rows; // a multiple of ROWS

// The sum so far of channel c of pixel p in row y - RADIUS + i. Between turns the last ROWS are zero.
float sums[CARRIED + ROWS][SUMMED][UNIT_PIXELS];

// Sums channel c of the rows along x.
void sum_rows(int c, uvec4 texels[ROWS][AROUND], out float rows[ROWS][UNIT_PIXELS]) {
    for (int j = 0; j < ROWS; ++j) {
        for (int p = 0; p < UNIT_PIXELS; ++p) {
            rows[j][p] = 0.0;
        }
        for (int t = 0; t < AROUND; ++t) {
            add_texel(c, t - REACH, texels[j][t], rows[j]);
        }
    }
}

// Adds those sums to the rows of the result, one after the other, so that few are under way at a time.
void add_rows(int c, float rows[ROWS][UNIT_PIXELS], inout float results[ROWS][UNIT_LANES]) {
    for (int p = 0; p < UNIT_PIXELS; ++p) {
        for (int i = 0; i < CARRIED + ROWS; ++i) {
            float sum = i < CARRIED ? sums[i][c][p] : 0.0;
            for (int j = 0; j < ROWS; ++j) {
                int distance = j - i + RADIUS;
                if (abs(distance) <= RADIUS) {
                    sum = add_tap(sum, channel_tap(c, distance, taps_y[distance + RADIUS]), rows[j][p]);
                }
            }
            if (i < ROWS) {
                results[i][p * CHANNELS + c] = sum;
            } else {
                sums[i - ROWS][c][p] = sum;
            }
        }
    }
}

void main() {
    int unit = int(gl_GlobalInvocationID.x);
    int begin = int(gl_GlobalInvocationID.y) * u_rows;
    int end = min(begin + u_rows, u_size.y);
    int first = unit * SRC_TEXELS;
    bool inside = first * SRC_PIXELS < u_size.x;
    int left = inside ? clamp(REACH - first, 0, AROUND) : 0;
    int right = inside ? clamp(first + SRC_TEXELS + REACH - u_size.x / SRC_PIXELS, 0, AROUND) : 0;
    load_taps();
    float scale = u_scale;
    for (int i = 0; i < CARRIED + ROWS; ++i) {
        for (int c = 0; c < SUMMED; ++c) {
            for (int p = 0; p < UNIT_PIXELS; ++p) {
                sums[i][c][p] = 0.0;
            }
        }
    }
    for (int y = begin - RADIUS; y < end + RADIUS; y += ROWS) {
        bool never = false;
        for (int j = 0; j < ROWS; ++j) {
            never = look_at_result(unit, y - RADIUS + j) || never;
        }
        uvec4 texels[ROWS][AROUND];
        load_rows(first - REACH, left, right, y, texels);
        float results[ROWS][UNIT_LANES];
        for (int j = 0; j < ROWS; ++j) {
            for (int lane = 0; lane < UNIT_LANES; ++lane) {
                results[j][lane] = 0.0;
            }
        }
        for (int c = 0; c < SUMMED; ++c) {
            float rows[ROWS][UNIT_PIXELS];
            sum_rows(c, texels, rows);
            add_rows(c, rows, results);
        }
        bool done = y >= begin + RADIUS && !never;
        uvec4 packed_rows[ROWS][DST_TEXELS];
        for (int turns = done ? 1 : 0; turns > 0; --turns) {
            for (int j = 0; j < ROWS; ++j) {
                finish(results[j], scale);
                sharpen(unit, y - RADIUS + j, results[j]);
                for (int t = 0; t < DST_TEXELS; ++t) {
                    packed_rows[j][t] = pack_texel(results[j], t * DST_LANES);
                }
            }
        }
        for (int j = 0; j < ROWS; ++j) {
            for (int t = 0; t < DST_TEXELS; ++t) {
                imageStore(i_dst, ivec2(unit * DST_TEXELS + t, done ? y - RADIUS + j : -1), packed_rows[j][t]);
            }
        }
    }
}
