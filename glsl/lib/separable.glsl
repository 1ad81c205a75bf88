// Sums of weighted neighbours along an axis, for a whole unit at once.
//
// Needs lib/pixel.glsl, all that lib/tap.glsl needs, and SUMS_X or SUMS_Y, whichever sums are wanted. Units of ROWS
// rows below each other, 1 or 4, share the texels they load; with WHOLE 1 it is 1.
#ifndef ROWS
#define ROWS 1
#endif
#define SUM_LANES (ROWS * UNIT_LANES)

// Long sums of floats are made in parts of PART_TAPS taps, counted from the first. The rounding error of adding a part
// is carried into the next one (W. Kahan, Further remarks on reducing truncation errors, CACM 8(1), 1965), so that the
// error does not grow with the radius. `walk` reaches no farther than a part. 8 bits need no parts; the image has the
// fewer bits of source and result.
#if WHOLE == 1 || SRC_DEPTH == 8 || DST_DEPTH == 8
#define PART_TAPS (1 << 20)
#else
#define PART_TAPS 33
#endif

#include "lib/tap.glsl"

// Half kernels: for x, then, beginning at u_taps_y, for y. Each is followed by zeros as far as a unit may reach beyond
// the radius.
layout(std430) readonly buffer b_taps { float taps[]; };

uniform int u_taps_y;

SUM tap(int axis, int distance) {
    return SUM(taps[axis * u_taps_y + abs(distance)]);
}

void clear(out SUM values[SUM_LANES]) {
    for (int lane = 0; lane < SUM_LANES; ++lane) {
        values[lane] = SUM(0);
    }
}

// Adds a part; `excess` is the rounding error that the sums contain so far.
void add_part(SUM part[SUM_LANES], inout SUM sums[SUM_LANES], inout SUM excess[SUM_LANES]) {
    for (int lane = 0; lane < SUM_LANES; ++lane) {
#if WHOLE == 1
        sums[lane] += part[lane];
#else
        precise float addend = part[lane] - excess[lane];
        precise float sum = sums[lane] + addend;
        precise float rounding = (sum - sums[lane]) - addend;
        excess[lane] = rounding;
        sums[lane] = sum;
#endif
    }
}

// The values of a texel, colour weighted by alpha where ALPHA says so.
void weighted_values(uvec4 texel, out SUM values[UNIT_LANES]) {
#if WHOLE == 1
    for (int lane = 0; lane < UNIT_LANES; ++lane) {
        uint alpha = lane_bits(texel, lane / CHANNELS * CHANNELS + CHANNELS - 1);
        bool is_weighted = ALPHA == 1 && lane % CHANNELS < CHANNELS - 1;
        values[lane] = lane_bits(texel, lane) * (is_weighted ? alpha : 1u);
    }
#else
    for (int lane = 0; lane < UNIT_LANES; ++lane) {
        values[lane] = lane_value(texel, lane);
    }
    premultiply(values);
#endif
}

// Adds the pixels of `values` to every pixel of `sums`, by the taps `first` to `last`. The first of these pixels is
// `distance` pixels right of the unit's first.
void accumulate_unit(int distance, int first, int last, SUM values[SUM_LANES], inout SUM sums[SUM_LANES]) {
    for (int to = 0; to < UNIT_PIXELS; ++to) {
        for (int from = 0; from < UNIT_PIXELS; ++from) {
            int d = distance + from - to;
            bool counts = d >= first && d <= last;
            SUM weight = tap(0, d);
            for (int c = 0; c < CHANNELS; ++c) {
                SUM own = counts ? channel_tap(c, d, weight) : SUM(0);
                for (int row = 0; row < SUM_LANES; row += UNIT_LANES) {
                    int lane = row + to * CHANNELS + c;
                    sums[lane] = add_tap(sums[lane], own, values[row + from * CHANNELS + c]);
                }
            }
        }
    }
}

// The values that the invocation is to sum: if sums are made along x, the texel `units` to the right of its own in one
// of its rows …
#ifdef SUMS_X
uvec4 texel_right(int units, int row);

void values_right(int units, out SUM values[SUM_LANES]) {
    for (int row = 0; row < ROWS; ++row) {
        SUM own[UNIT_LANES];
        weighted_values(texel_right(units, row), own);
        for (int lane = 0; lane < UNIT_LANES; ++lane) {
            values[row * UNIT_LANES + lane] = own[lane];
        }
    }
}

int unit_of(int pixel) {
    const int far = 1 << 17; // so that nothing negative is divided
    return (pixel + far * UNIT_PIXELS) / UNIT_PIXELS - far;
}

void sum_along_x(int radius, out SUM sums[SUM_LANES]) {
    SUM excess[SUM_LANES];
    clear(sums);
    clear(excess);
    for (int first = -radius; first <= radius; first += PART_TAPS) {
        int last = min(first + PART_TAPS - 1, radius);
        SUM part[SUM_LANES];
        clear(part);
        for (int u = unit_of(first); u <= unit_of(last + UNIT_PIXELS - 1); ++u) {
            SUM values[SUM_LANES];
            values_right(u, values);
            accumulate_unit(u * UNIT_PIXELS, first, last, values, part);
        }
        add_part(part, sums, excess);
    }
}
#endif

// … and if they are made along y, the sums along x `rows` below its own.
#ifdef SUMS_Y
void sums_below(int rows, out SUM values[UNIT_LANES]);

#if WHOLE == 0
// Adds the sums `distance` rows below the first row to every row of `sums`, by the taps `first` to `last`. `weights`
// has one for each row.
void accumulate_row(int distance, int first, int last, vec4 weights, float values[UNIT_LANES], inout float sums[SUM_LANES]) {
    for (int row = 0; row < ROWS; ++row) {
        int d = distance - row;
        bool counts = ROWS == 1 || (d >= first && d <= last);
        for (int lane = 0; lane < UNIT_LANES; ++lane) {
            int i = row * UNIT_LANES + lane;
            float own = counts ? channel_tap(lane % CHANNELS, d, weights[row]) : 0.0;
            sums[i] = add_tap(sums[i], own, values[lane]);
        }
    }
}
#endif

void sum_along_y(int radius, out float sums[SUM_LANES]) {
#if WHOLE == 1
    uint high[UNIT_LANES];
    uint low[UNIT_LANES];
    clear(high);
    clear(low);
    for (int d = -radius; d <= radius; ++d) {
        uint values[UNIT_LANES];
        sums_below(d, values);
        uint weight = tap(1, d);
        for (int lane = 0; lane < UNIT_LANES; ++lane) {
            uint own = channel_tap(lane % CHANNELS, d, weight);
            high[lane] += own * (values[lane] >> 16);
            low[lane] += own * (values[lane] & 65535u);
        }
    }
    for (int lane = 0; lane < UNIT_LANES; ++lane) {
        sums[lane] = float_of(high[lane], low[lane]);
    }
#else
    float excess[SUM_LANES];
    clear(sums);
    clear(excess);
    for (int first = -radius; first <= radius; first += PART_TAPS) {
        int last = min(first + PART_TAPS - 1, radius);
        float part[SUM_LANES];
        clear(part);
        vec4 weights = vec4(0.0);
        for (int d = first; d < last + ROWS; ++d) {
            float values[UNIT_LANES];
            sums_below(d, values);
            weights = vec4(tap(1, d), weights.xyz);
            accumulate_row(d, first, last, weights, values, part);
        }
        add_part(part, sums, excess);
    }
#endif
}
#endif
