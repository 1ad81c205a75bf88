#version 430 core
// Resizes a picture along one axis: run with AXIS 0, then with AXIS 1, or with one of them alone.
//
// A pixel of the result is a sum over a window of source pixels, with weights that the CPU made in double precision. An
// invocation marches along a line of the source, a row or the texels of a column, and makes a strip of the result. It
// loads each pixel once, and adds from the first to the last of a window. Its SLOTS hold
//   DOWN 1   sums under way: each pixel of the source counts in so many windows at most
//   DOWN 0   pixels of the source: each window has so many at most
//
// Reads   i_src       a part of the picture (FIRST 1), or the output of AXIS 0
//         b_windows   for each pixel of the result the first of its source pixels, and the one after the last
//         b_weights   SLOTS numbers for each pixel. DOWN 1: for each pixel of the source, its weights in the windows
//                     that are not finished. DOWN 0: for each pixel of the result, the weights of the source pixels up
//                     to the last one it needs
//         b_light     with LIGHT 1, and
//         b_codes     with LIGHT 1: see lib/light.glsl
// Writes  i_dst       the input of AXIS 1 (LAST 0), or a part of the result
// Shared memory       none; invocations are independent, groups come in any order.
// Source              Resample.c of Pillow for the windows, which widen where the picture shrinks and end at its edge
//
// @define AXIS     0|1       along x, along y
// @define DOWN     0|1       1 where the picture shrinks
// @define SLOTS    2|4|6
// @define CHANNELS 1|2|4     as stored
// @define DEPTH    8|16|32   bits of a channel of the picture
// @define ALPHA    0|1       1: colour is weighted by alpha
// @define FIRST    0|1       the first axis: loads pixels of the picture
// @define LAST     0|1       the last axis: stores pixels of the result
// @define LIGHT    0|1       1: sums are of linear light
// @define ROWS     1|4       AXIS 0: rows that an invocation works on at a time
// @define SHORT    0|1       1: weights have 16 bits, so that products with 8 bits are exact
// @define CAREFUL  0|1       1: the rounding errors of long sums are carried along
// @skip CHANNELS=1 ALPHA=1
// @skip DEPTH=32 LIGHT=1
// @skip FIRST=0 LAST=0
// @skip AXIS=0 FIRST=0
// @skip AXIS=1 LAST=0
// @skip DEPTH=8 CAREFUL=1
// @skip DEPTH=16 CAREFUL=1
// @skip DOWN=0 CAREFUL=1
// @skip AXIS=1 ROWS=4
// @skip SHORT=1 DOWN=0
// @skip SHORT=1 FIRST=0
// @skip SHORT=1 DEPTH=16
// @skip SHORT=1 DEPTH=32
// @skip SHORT=1 ALPHA=1
// @skip SHORT=1 LIGHT=1

#if defined(ONE_PICTURE) && DEPTH == 8 && ALPHA == 0 && LIGHT == 0 // see lib/moved.glsl
#define ROLLED
#pragma optionNV(unroll none)
#endif

// Between the axes there are floats, or 256ths in 16 bits where that is enough for 8 bits.
#if DEPTH == 8 && ALPHA == 0 && LIGHT == 0
#define BETWEEN 16
#else
#define BETWEEN 32
#endif
#if FIRST == 1
#define SRC_DEPTH DEPTH
#else
#define SRC_DEPTH BETWEEN
#endif
#if LAST == 1
#define DST_DEPTH DEPTH
#else
#define DST_DEPTH BETWEEN
#endif
#include "lib/pixel.glsl"
#include "lib/unweighted.glsl"
#define LIGHT_BITS DEPTH
#if LIGHT == 1 && FIRST == 1
#define TO_LIGHT
#endif
#if LIGHT == 1 && LAST == 1
#define FROM_LIGHT
#endif
#include "lib/light.glsl"
#include "lib/moved.glsl"

#define FULL float(DEPTH == 32 || LIGHT == 1 ? 1 : (1 << DEPTH % 32) - 1)
#define DST_PIXELS (DST_LANES / CHANNELS)
#if AXIS == 0
#define LANES (ROWS * CHANNELS)
#else
#define LANES UNIT_LANES
#endif

#define GROUP 64
layout(local_size_x = GROUP) in;

layout(std430) readonly buffer b_windows { ivec2 windows[]; };
layout(std430) readonly buffer b_weights { vec2 weights[]; };

uniform int u_lines; // rows of i_src, or units of a row of i_dst
uniform int u_count; // pixels of the result along the axis
uniform int u_strip; // of them for an invocation: whole texels

float slots[SLOTS * LANES]; // one after another
#if CAREFUL == 1
float excess[SLOTS * LANES]; // the rounding error that these sums contain
#endif

float[LANES] zeros() {
    float values[LANES];
    for (int lane = 0; lane < LANES; ++lane) {
        values[lane] = 0.0;
    }
    return values;
}

// Before all functions that read them: Mesa goes by the order of the text, and warns.
void clear_slots() {
    float nothing[LANES] = zeros();
    FILL_ROWS(slots, SLOTS, LANES, nothing)
#if CAREFUL == 1
    FILL_ROWS(excess, SLOTS, LANES, nothing)
#endif
}

float[SLOTS] weights_of(int entry) {
    float result[SLOTS];
    for (int s = 0; s < SLOTS; ++s) {
        result[s] = weights[entry * (SLOTS / 2) + s / 2][s % 2];
    }
    return result;
}

bool is_alpha(int lane) {
    return CHANNELS != 1 && lane % CHANNELS == CHANNELS - 1;
}

int alpha_lane(int lane) {
    return lane / CHANNELS * CHANNELS + CHANNELS - 1;
}

// Taps of weight 0 let no NaN through.
float add_tap(float sum, float weight, float value) {
#if SHORT == 1
    return add_whole_product(sum, weight, value);
#elif DEPTH == 32
    return weight == 0.0 ? sum : add_product(sum, weight, value);
#else
    return add_product(sum, weight, value);
#endif
}

// Adds to a sum under way (W. Kahan, Further remarks on reducing truncation errors, CACM 8(1), 1965).
void add_to_slot(int i, float weight, float value) {
#if CAREFUL == 1
    float sum = slots[i];
    precise float addend = add_tap(0.0, weight, value) - excess[i];
    precise float next = sum + addend;
    precise float rounding = (next - sum) - addend;
    slots[i] = next;
    excess[i] = rounding;
#else
    slots[i] = add_tap(slots[i], weight, value);
#endif
}

// The last slot takes `values`; the first is forgotten.
void move_slots(float values[LANES]) {
    MOVE_ROWS(slots, SLOTS, LANES, values)
#if CAREFUL == 1
    float nothing[LANES] = zeros();
    MOVE_ROWS(excess, SLOTS, LANES, nothing)
#endif
}

// Source pixel `i` of the line.
void take(int i, float values[LANES]) {
#if DOWN == 1
    float taps[SLOTS] = weights_of(i);
    for (int s = 0; s < SLOTS; ++s) {
        for (int lane = 0; lane < LANES; ++lane) {
            add_to_slot(s * LANES + lane, taps[s], values[lane]);
        }
    }
#else
    move_slots(values);
#endif
}

// The sum of pixel `o` of the result, all of whose source pixels were taken.
void give(int o, out float sums[LANES]) {
#if DOWN == 1
    for (int lane = 0; lane < LANES; ++lane) {
        sums[lane] = slots[lane];
    }
    move_slots(zeros());
#else
    sums = zeros();
    float taps[SLOTS] = weights_of(o);
    for (int s = 0; s < SLOTS; ++s) {
        for (int lane = 0; lane < LANES; ++lane) {
            sums[lane] = add_tap(sums[lane], taps[s], slots[s * LANES + lane]);
        }
    }
#endif
#if DEPTH == 32
    for (int lane = 0; lane < LANES; ++lane) {
        sums[lane] = begun_with_zero(sums[lane]);
    }
#endif
}

// Turns codes into the values that are summed.
void begin_values(inout float values[LANES]) {
#if LIGHT == 1 && FIRST == 1
    for (int lane = 0; lane < LANES; ++lane) {
        values[lane] = is_alpha(lane) ? alpha_of(values[lane]) : light_of(values[lane]);
    }
#endif
#if ALPHA == 1 && FIRST == 1
    for (int lane = 0; lane < LANES; ++lane) {
        values[lane] = is_alpha(lane) ? values[lane] : weighted_colour(values[lane], values[alpha_lane(lane)]);
    }
#endif
}

// Turns sums into the values that are stored. Between the axes, 8-bit images are kept within the range of 8 bits, as
// Pillow does.
void end_values(inout float values[LANES]) {
    float sums[LANES] = values; // copy: each value is written from the sums of its own pixel; right on Mesa 25
    for (int lane = 0; lane < LANES; ++lane) {
#if LAST == 0 && DEPTH == 8 && ALPHA == 1
        // One rule for both, so that their quotient stays a colour: alpha itself is cut off at the end alone.
        float alpha = max(sums[alpha_lane(lane)], 0.0);
        values[lane] = is_alpha(lane) ? alpha : clamp(sums[lane], 0.0, product_of(FULL, alpha));
#elif LAST == 0 && DEPTH == 8
        values[lane] = clamp(sums[lane], 0.0, FULL);
#endif
#if LAST == 0 && BETWEEN == 16
        values[lane] = product_of(values[lane], 256.0);
#elif LAST == 1 && FIRST == 0 && BETWEEN == 16
        values[lane] = product_of(values[lane], 1.0 / 256.0);
#endif
#if LAST == 1 && ALPHA == 1
        values[lane] = is_alpha(lane) ? sums[lane] : unweighted(sums[lane], sums[alpha_lane(lane)]);
#endif
#if LAST == 1 && LIGHT == 1
        values[lane] = is_alpha(lane) ? code_of_alpha(values[lane]) : code_of_light(values[lane]);
#endif
    }
}

// The texel without its first pixel, and with the first pixel of `more` as its last.
uvec4 next_pixel(uvec4 texel, uvec4 more, const int bits) {
    uvec4 words = uvec4(texel.yzw, more.x);
    return bits == 128  ? more
           : bits == 64 ? uvec4(texel.zw, more.xy)
           : bits == 32 ? words
                        : texel >> (bits & 31) | (words << 1) << (31 - (bits & 31));
}

// The source is loaded a texel ahead of its use. Loops that run once or never, not ifs: renderers that run both sides
// of an if skip a loop that no invocation enters.
#if AXIS == 0
uvec4 held[ROWS];  // texels of the source whose first pixel is the next to be taken
uvec4 ahead[ROWS]; // those after them
uvec4 ready[ROWS]; // pixels of the result, the last one last

int row_of(int line, int r) {
    return line + r * GROUP;
}

void load_ahead(int texel, int line) {
    for (int r = 0; r < ROWS; ++r) {
        held[r] = ahead[r];
        ahead[r] = imageLoad(i_src, ivec2(texel, row_of(line, r)));
    }
}

void take_pixel() {
    for (int r = 0; r < ROWS; ++r) {
        held[r] = next_pixel(held[r], uvec4(0u), CHANNELS * SRC_DEPTH);
    }
}

void begin_loads(int i, int line) {
    for (int r = 0; r < ROWS; ++r) {
        ahead[r] = imageLoad(i_src, ivec2(i / SRC_PIXELS, row_of(line, r)));
        ready[r] = uvec4(0u);
    }
    load_ahead(i / SRC_PIXELS + 1, line);
    for (int k = i % SRC_PIXELS; k > 0; --k) {
        take_pixel();
    }
}

void load_values(int i, int line, out float values[LANES]) {
    for (int lane = 0; lane < LANES; ++lane) {
        values[lane] = lane_value(held[lane / CHANNELS], lane % CHANNELS);
    }
    take_pixel();
    for (int turns = (i + 1) % SRC_PIXELS == 0 ? 1 : 0; turns > 0; --turns) {
        load_ahead((i + 1) / SRC_PIXELS + 1, line);
    }
}

void store_values(int o, int line, float values[LANES]) {
    for (int r = 0; r < ROWS; ++r) {
        uvec4 pixel = uvec4(0u);
        for (int c = 0; c < CHANNELS; ++c) {
            put_lane(pixel, c, code_of(values[r * CHANNELS + c]));
        }
        ready[r] = next_pixel(ready[r], pixel, CHANNELS * DST_DEPTH);
    }
    int missing = DST_PIXELS - 1 - o % DST_PIXELS;
    for (int turns = missing == 0 || o == u_count - 1 ? 1 : 0; turns > 0; --turns) {
        for (int r = 0; r < ROWS; ++r) {
            uvec4 texel = ready[r];
            for (int k = missing; k > 0; --k) {
                texel = next_pixel(texel, uvec4(0u), CHANNELS * DST_DEPTH);
            }
            imageStore(i_dst, ivec2(o / DST_PIXELS, row_of(line, r)), texel);
        }
    }
}
#else
uvec4 ahead[SRC_TEXELS];

void begin_loads(int i, int line) {
    for (int t = 0; t < SRC_TEXELS; ++t) {
        ahead[t] = imageLoad(i_src, ivec2(line * SRC_TEXELS + t, i));
    }
}

void load_values(int i, int line, out float values[LANES]) {
    for (int lane = 0; lane < LANES; ++lane) {
        values[lane] = lane_value(ahead[lane / SRC_LANES], lane % SRC_LANES);
    }
    begin_loads(i + 1, line);
}

void store_values(int o, int line, float values[LANES]) {
    store_unit(line, o, values);
}
#endif

void main() {
#if AXIS == 0
    int line = int(gl_WorkGroupID.x) * GROUP * ROWS + int(gl_LocalInvocationIndex);
#else
    int line = int(gl_GlobalInvocationID.x);
#endif
    int first = int(gl_GlobalInvocationID.y) * u_strip;
    int end = line < u_lines ? min(first + u_strip, u_count) : 0;
    clear_slots();
    // Windows that begin before the strip do not come out right, but they are not stored either.
    int o = first;
#if DOWN == 1
    int i = windows[first].x;
    for (; o > 0 && windows[o - 1].y > i; --o) {
    }
#else
    int i = max(windows[first].y - SLOTS, 0);
#endif
    begin_loads(i, line);
    for (; o < end; ++o) {
        int stop = windows[o].y;
        for (; i < stop; ++i) {
            float values[LANES];
            load_values(i, line, values);
            begin_values(values);
            take(i, values);
        }
        float sums[LANES];
        give(o, sums);
        for (int turns = o >= first ? 1 : 0; turns > 0; --turns) {
            end_values(sums);
            store_values(o, line, sums);
        }
    }
}
