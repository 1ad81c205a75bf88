#version 430 core
// Both axes of a separable filter in one pass: a group marches down a strip of the image.
//
// ROWS rows at a time come to shared memory. There each invocation sums SPAN quads of a row along x, and shares the
// sums. Then each invocation, which owns a column of quads, adds its sums to the 2 RADIUS + 1 rows of the result that
// are under way in its registers. The oldest row is then done, and is stored a turn later, in whole texels. Every pixel
// is loaded once per strip, and half of the sums need no shared memory.
//
// Reads   i_src    the image
//         i_own    the image once more (SHARPEN)
// Writes  i_dst    the result, of the same format
// Shared bytes     SRC_DEPTH / 2 * ROWS * (STRIP + RESULTS) + 20 * ROWS * RESULTS; groups come in any order
// Source           a separable filter as in Gonzalez and Woods, Digital Image Processing, 4th ed., 3.5.
//
// @define BORDER    0|1|2|3|4     lib/border.glsl
// @define CHANNELS  1|2|4         as stored
// @define SRC_DEPTH 8|16|32       bits of a channel
// @define ALPHA     0|1|2         lib/pixel.glsl
// @define RADIUS    2|4|5|6|8|12|16  at least the radius of both axes
// @define GROUP     128           invocations; 64 where there is less shared memory than OpenGL guarantees
// @define EDGE      0|1           whether strips may reach beyond the image: code for that fills registers
// @define SHARPEN   0|1           whether it ends with lib/unsharp.glsl
// @skip CHANNELS=1 ALPHA=1
// @skip CHANNELS=1 ALPHA=2
#if defined(ONE_PICTURE) && SRC_DEPTH == 8 // see lib/moved.glsl
#define ROLLED
#pragma optionNV(unroll none)
#else
#pragma optionNV(unroll all)
#endif
#define DST_DEPTH SRC_DEPTH
#include "lib/sync.glsl"
#include "lib/pixel.glsl"
#include "lib/border.glsl"
#include "lib/unsharp.glsl"

#define ROWS 4
#define SPAN 4
#define UNROLLED 1
#define HELD ROWS
#define REACH ((RADIUS * CHANNELS + 15) / 16 * 4) // of them left and right of those it stores, so that spans are whole

uniform float u_taps_x[RADIUS + 1]; // half kernels, zero beyond the radius
uniform float u_taps_y[RADIUS + 1];
uniform float u_scale; // multiplies the sums before they are stored

#include "lib/strip.glsl"

// A gap after every span spreads the quads that neighbours read over all banks.
#define PLACE(quad) ((quad) + (quad) / SPAN)
shared vec4 s_sum[ROWS][PLACE(RESULTS)];

// The weights of a quad's lanes: a kept channel (ALPHA 2) sees only itself.
#if ALPHA == 2
#define WEIGHTS vec4
vec4 weights_of(float weight, int distance) {
    vec4 weights = vec4(weight);
#if CHANNELS == 4
    weights.w = float(distance == 0);
#else
    weights.yw = vec2(distance == 0);
#endif
    return weights;
}
vec4 unless_zero(vec4 weights, vec4 result, vec4 sums) {
    return mix(result, sums, equal(weights, vec4(0.0)));
}
#else
#define WEIGHTS float
#define weights_of(weight, distance) (weight)
vec4 unless_zero(float weight, vec4 result, vec4 sums) {
    return weight == 0.0 ? sums : result;
}
#endif

// Taps of weight 0 let no NaN through.
vec4 add_taps(vec4 sums, WEIGHTS weights, vec4 values) {
    precise vec4 products = weights * values;
    precise vec4 result = sums + products;
#if SRC_DEPTH == 32
    result = unless_zero(weights, result, sums);
#endif
    return result;
}

#if CHANNELS == 4
// A quad is a pixel. If it went by lanes, as below, NVIDIA's compiler would take four to eight times as long: seconds.
void sum_along_x(int slot, int row, int span) {
    vec4 sums[SPAN];
    for (int q = 0; q < SPAN; ++q) {
        sums[q] = vec4(0.0);
    }
    for (int q = -RADIUS; q < SPAN + RADIUS; ++q) {
        const int k = REACH + q; // counted from the span's first texel
        vec4 values = texel_quad(s_texel[slot + row][SPAN / QUADS * span + k / QUADS], k % QUADS);
        for (int to = max(q - RADIUS, 0); to <= min(q + RADIUS, SPAN - 1); ++to) {
            WEIGHTS weights = weights_of(u_taps_x[abs(q - to)], q - to);
#if SRC_DEPTH == 8 && ALPHA != 1
            precise vec4 sum = fma(vec4(weights), values, sums[to]); // see has_short_taps() of the host
            sums[to] = sum;
#else
            sums[to] = add_taps(sums[to], weights, values);
#endif
        }
    }
    for (int q = 0; q < SPAN; ++q) {
        s_sum[row][PLACE(SPAN) * span + q] = sums[q];
    }
}
#else
float add_tap(float sum, float weight, float value) {
#if SRC_DEPTH == 8 && ALPHA != 1
    return add_whole_product(sum, weight, value); // see has_short_taps() of the host
#elif SRC_DEPTH == 32
    return weight == 0.0 ? sum : add_product(sum, weight, value);
#else
    return add_product(sum, weight, value);
#endif
}

void sum_along_x(int slot, int row, int span) {
    float sums[4 * SPAN];
    for (int lane = 0; lane < 4 * SPAN; ++lane) {
        sums[lane] = 0.0;
    }
    const int reach = (RADIUS * CHANNELS + 3) / 4;
    for (int q = -reach; q < SPAN + reach; ++q) {
        const int k = REACH + q; // counted from the span's first texel
        vec4 values = texel_quad(s_texel[slot + row][SPAN / QUADS * span + k / QUADS], k % QUADS);
        for (int l = 0; l < 4; ++l) {
            int from = 4 * q + l;
            int first = max(from - RADIUS * CHANNELS, (from + 4 * reach + 4 * CHANNELS) % CHANNELS);
            int last = min(from + RADIUS * CHANNELS, 4 * SPAN - 1);
            for (int to = first; to <= last; to += CHANNELS) {
                int distance = (from - to) / CHANNELS;
                float weight = u_taps_x[abs(distance)];
#if ALPHA == 2
                weight = l % CHANNELS == CHANNELS - 1 ? float(distance == 0) : weight;
#endif
                sums[to] = add_tap(sums[to], weight, values[l]);
            }
        }
    }
    for (int q = 0; q < SPAN; ++q) {
        s_sum[row][PLACE(SPAN) * span + q] = vec4(sums[4 * q], sums[4 * q + 1], sums[4 * q + 2], sums[4 * q + 3]);
    }
}
#endif

vec4 sums[2 * RADIUS + 1]; // the sum so far of row y + i - RADIUS of the result

void begin_sums() {
    for (int i = 0; i <= 2 * RADIUS; ++i) {
        sums[i] = vec4(0.0);
    }
}

// Returns the oldest.
vec4 add_row(vec4 row) {
    for (int i = 0; i <= 2 * RADIUS; ++i) {
        vec4 before = i < 2 * RADIUS ? sums[i + 1] : vec4(0.0);
        sums[i] = add_taps(before, weights_of(u_taps_y[abs(i - RADIUS)], i - RADIUS), row);
    }
    return sums[0];
}

#if SHARPEN == 1
// A quad of the image, in the first lanes.
uvec4 own_quad(ivec2 at) {
    uvec4 texel = imageLoad(i_own, ivec2(at.x / QUADS, at.y));
#if DST_DEPTH < 32
    texel.xy = (at.x & (QUADS / 2)) != 0 ? texel.zw : texel.xy; // not by number, which took 0.4 ms of 1.4 on an H200
#endif
#if DST_DEPTH == 8
    texel.x = (at.x & 1) != 0 ? texel.y : texel.x;
#endif
    return texel;
}
#endif

void share_sums(int slot) {
    const int spans = RESULTS / SPAN;
    int me = int(gl_LocalInvocationIndex);
    if (me < ROWS * spans) {
        sum_along_x(slot, int(uint(me) / uint(spans)), int(uint(me) % uint(spans)));
    }
}

vec4 result_of(int slot, int i, int me, ivec2 at) {
    vec4 oldest = add_row(s_sum[i][PLACE(me)]);
    vec4 means = finished(oldest, u_scale);
#if SHARPEN == 1
    means = sharpened(means, own_quad(at), 0);
#endif
    return means;
}
