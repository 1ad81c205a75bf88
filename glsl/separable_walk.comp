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

layout(local_size_x = 16, local_size_y = 1) in;

uniform float u_taps_x[RADIUS + 1]; // half kernels, zero beyond the radius
uniform float u_taps_y[RADIUS + 1];
uniform float u_scale; // multiplies the sums before they are stored
uniform int u_rows;

#define REACH ((RADIUS + SRC_PIXELS - 1) / SRC_PIXELS) // texels left and right that a texel depends on
#define AROUND (2 * REACH + 1)

// The weight of a lane, where the pixel's is `weight`: a kept channel (ALPHA 2) sees only itself.
float lane_tap(int lane, int distance, float weight) {
#if ALPHA == 2
    return lane % CHANNELS == CHANNELS - 1 ? float(distance == 0) : weight;
#else
    return weight;
#endif
}

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
        float values[UNIT_LANES];
        for (int lane = 0; lane < UNIT_LANES; ++lane) {
            values[lane] = lane_value(texels[t], lane);
        }
        premultiply(values);
        for (int to = 0; to < UNIT_LANES; ++to) {
            for (int p = 0; p < UNIT_PIXELS; ++p) {
                int distance = (t - REACH) * UNIT_PIXELS + p - to / CHANNELS;
                if (abs(distance) <= RADIUS) {
                    sums[to] += lane_tap(to, distance, u_taps_x[abs(distance)]) * values[p * CHANNELS + to % CHANNELS];
                }
            }
        }
    }
}

void main() {
    int unit = int(gl_GlobalInvocationID.x);
    int begin = int(gl_GlobalInvocationID.y) * u_rows;
    int end = min(begin + u_rows, u_size.y);
    bool whole = unit >= REACH && (unit + 1 + REACH) * SRC_PIXELS <= u_size.x;
    float sums[2 * RADIUS + 1][UNIT_LANES]; // [i] is what row y + i - RADIUS has so far
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
        for (int i = 0; i <= 2 * RADIUS; ++i) {
            for (int lane = 0; lane < UNIT_LANES; ++lane) {
                float before = i < 2 * RADIUS ? sums[i + 1][lane] : 0.0;
                // Precise, or a compiler that unrolls rows might round some sums in another way.
                precise float sum = fma(lane_tap(lane, i - RADIUS, u_taps_y[abs(i - RADIUS)]), row[lane], before);
                sums[i][lane] = sum;
            }
        }
        if (y >= begin + RADIUS) {
            float result[UNIT_LANES];
            for (int lane = 0; lane < UNIT_LANES; ++lane) {
                result[lane] = sums[0][lane] * lane_tap(lane, 0, u_scale);
            }
            unpremultiply(result);
            store_unit(unit, y - RADIUS, result);
        }
    }
}
