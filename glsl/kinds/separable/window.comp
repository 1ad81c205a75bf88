#version 430 core
// Both axes of a separable filter in one pass: a group marches down a strip of the image.
//
// ROWS rows at a time come to shared memory. There each invocation sums SPAN quads of a row along x, and shares the sums.
// Then each, which owns a column of quads, adds its sums to the 2 RADIUS + 1 rows of the result that are under way in its
// registers: the oldest is then done, and stored a turn later, in whole texels. Every pixel is loaded once a strip, and
// half of the sums need no shared memory.
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
// @define RADIUS    2|4|8|12|16   at least the radius of both axes
// @define GROUP     64|128        invocations
// @define EDGE      0|1           whether strips may reach beyond the image: code for that fills registers
// @define SHARPEN   0|1           whether it ends with unsharp.glsl
// @skip CHANNELS=1 ALPHA=1
// @skip CHANNELS=1 ALPHA=2
#pragma optionNV(unroll all)
#define DST_DEPTH SRC_DEPTH
#include "lib/sync.glsl"
#include "lib/pixel.glsl"
#include "lib/border.glsl"
#include "unsharp.glsl"

#define ROWS 4
#define SPAN 4
#define QUADS (SRC_LANES / 4) // of a texel
#define STRIP GROUP           // quads that a group loads of a row
#define REACH ((RADIUS * CHANNELS + 15) / 16 * 4) // of them left and right of those it stores, so that spans are whole
#define RESULTS (STRIP - 2 * REACH)
#define LOADS (ROWS / QUADS)  // texels of an invocation

layout(local_size_x = GROUP) in;

uniform float u_taps_x[RADIUS + 1]; // half kernels, zero beyond the radius
uniform float u_taps_y[RADIUS + 1];
uniform float u_scale; // multiplies the sums before they are stored
uniform ivec2 u_skip; // from group x on, so many strips are left to another dispatch
uniform int u_rows; // of a strip; a multiple of ROWS

#if DST_DEPTH == 8
#define WORDS uint
#elif DST_DEPTH == 16
#define WORDS uvec2
#else
#define WORDS uvec4
#endif

// A gap after every span spreads over all banks what neighbours read.
#define PLACE(quad) ((quad) + (quad) / SPAN)
shared uvec4 s_texel[ROWS][STRIP / QUADS];
shared vec4 s_sum[ROWS][PLACE(RESULTS)];
shared WORDS s_done[ROWS][RESULTS];

WORDS words_of(vec4 means) {
#if DST_DEPTH == 8
    return bytes_of(means);
#else
    uvec4 codes = uvec4(code_of(means.x), code_of(means.y), code_of(means.z), code_of(means.w));
#if DST_DEPTH == 16
    return codes.xz | codes.yw << 16;
#else
    return codes;
#endif
#endif
}

uvec4 done_texel(int row, int quad) {
#if DST_DEPTH == 8
    return uvec4(s_done[row][quad], s_done[row][quad + 1], s_done[row][quad + 2], s_done[row][quad + 3]);
#elif DST_DEPTH == 16
    return uvec4(s_done[row][quad], s_done[row][quad + 1]);
#else
    return s_done[row][quad];
#endif
}

// The weights of a quad's lanes: a kept channel (ALPHA 2) sees only itself.
vec4 lane_taps(float weight, int distance) {
    vec4 weights = vec4(weight);
#if ALPHA == 2 && CHANNELS == 4
    weights.w = float(distance == 0);
#elif ALPHA == 2
    weights.yw = vec2(distance == 0);
#endif
    return weights;
}

// Taps of weight 0 let no NaN through.
float add_tap_x(float sum, float weight, float value) {
#if SRC_DEPTH == 8 && ALPHA != 1
    return add_whole_product(sum, weight, value); // see has_short_taps() of the host
#elif SRC_DEPTH == 32
    return weight == 0.0 ? sum : add_product(sum, weight, value);
#else
    return add_product(sum, weight, value);
#endif
}

vec4 add_taps_y(vec4 sums, vec4 weights, vec4 values) {
    precise vec4 products = weights * values;
    precise vec4 result = sums + products;
#if SRC_DEPTH == 32
    return mix(result, sums, equal(weights, vec4(0.0)));
#else
    return result;
#endif
}

#if EDGE == 1 && BORDER == 3
#define LOADED_TEXEL bordered_texel // what a wrapped border needs may lie outside the strip
#else
#define LOADED_TEXEL plain_texel // complete_rows() knows the border along x
#endif

uvec4 plain_texel(int tx, int row) {
    return imageLoad(i_src, ivec2(tx, row));
}

// Loads are a turn ahead of their use, so nothing may look at them here.
void load_rows(int first_texel, int first_row, out uvec4 texels[LOADS]) {
    for (int i = 0; i < LOADS; ++i) {
        int work = int(gl_LocalInvocationIndex) + i * GROUP;
        int row = border_index(first_row + work / (STRIP / QUADS), u_size.y);
        texels[i] = LOADED_TEXEL(first_texel + work % (STRIP / QUADS), row);
    }
}

vec4 texel_quad(uvec4 texel, int quad) {
    vec4 values;
    for (int lane = 0; lane < 4; ++lane) {
        values[lane] = lane_value(texel, 4 * quad + lane);
    }
    return premultiplied(values);
}

void share_rows(int first_row, uvec4 texels[LOADS]) {
    for (int i = 0; i < LOADS; ++i) {
        int work = int(gl_LocalInvocationIndex) + i * GROUP;
        int row = work / (STRIP / QUADS);
#if BORDER == 4
        texels[i] = first_row + row < 0 || first_row + row >= u_size.y ? u_border_texel : texels[i];
#endif
        s_texel[row][work % (STRIP / QUADS)] = texels[i];
    }
}

#if EDGE == 1 && BORDER != 3
// What is seen beyond the image along x, from what the strip holds of the image. What no sum needs may be any pixel.
void complete_rows(int first_pixel) {
    const int lanes = 32 / SRC_DEPTH; // of a word
    const int words = STRIP * 4 / lanes;
    int left = (clamp(-first_pixel, 0, STRIP * 4 / CHANNELS) * CHANNELS + lanes - 1) / lanes; // with pixels beyond the image
    int right = clamp((u_size.x - first_pixel) * CHANNELS / lanes, left, words);
    for (int work = int(gl_LocalInvocationIndex); work < ROWS * (left + words - right); work += GROUP) {
        int row = work % ROWS;
        int word = work / ROWS;
        word += word < left ? 0 : right - left;
        uint bits = 0u;
        for (int l = 0; l < lanes; ++l) {
            int lane = word * lanes + l;
            int pixel = first_pixel + lane / CHANNELS;
            int seen = border_index(pixel, u_size.x);
            int from = clamp(seen - first_pixel, 0, STRIP * 4 / CHANNELS - 1) * CHANNELS + lane % CHANNELS;
            uint source = s_texel[row][from / SRC_LANES][from % SRC_LANES / lanes];
#if BORDER == 4
            source = seen < 0 ? u_border_texel[lane % SRC_LANES / lanes] : source;
#endif
            int shift = from % lanes * SRC_DEPTH;
#if BORDER == 4
            shift = seen < 0 ? l * SRC_DEPTH : shift;
#endif
            bits |= bitfieldExtract(source, shift, SRC_DEPTH) << (l * SRC_DEPTH);
        }
        s_texel[row][word * lanes / SRC_LANES][word % (SRC_LANES / lanes)] = bits;
    }
}
#endif

void sum_along_x(int row, int span) {
    float sums[4 * SPAN];
    for (int lane = 0; lane < 4 * SPAN; ++lane) {
        sums[lane] = 0.0;
    }
    const int reach = (RADIUS * CHANNELS + 3) / 4;
    for (int q = -reach; q < SPAN + reach; ++q) {
        const int k = REACH + q; // of the span's first texel on
        vec4 values = texel_quad(s_texel[row][SPAN / QUADS * span + k / QUADS], k % QUADS);
        for (int l = 0; l < 4; ++l) {
            int from = 4 * q + l;
            for (int to = (from + 4 * reach + 4 * CHANNELS) % CHANNELS; to < 4 * SPAN; to += CHANNELS) {
                int distance = (from - to) / CHANNELS;
                if (abs(distance) <= RADIUS) {
                    sums[to] = add_tap_x(sums[to], lane_taps(u_taps_x[abs(distance)], distance)[l], values[l]);
                }
            }
        }
    }
    for (int q = 0; q < SPAN; ++q) {
        s_sum[row][PLACE(SPAN) * span + q] = vec4(sums[4 * q], sums[4 * q + 1], sums[4 * q + 2], sums[4 * q + 3]);
    }
}

// sums[i] is what row y + i - RADIUS of the result has so far; returns the oldest.
vec4 add_row(vec4 row, inout vec4 sums[2 * RADIUS + 1]) {
    for (int i = 0; i <= 2 * RADIUS; ++i) {
        vec4 before = i < 2 * RADIUS ? sums[i + 1] : vec4(0.0);
        sums[i] = add_taps_y(before, lane_taps(u_taps_y[abs(i - RADIUS)], i - RADIUS), row);
    }
    return sums[0];
}

void store_rows(int first_texel, int first_row, int before, int rows) {
    for (int i = 0; i < LOADS; ++i) {
        int work = int(gl_LocalInvocationIndex) + i * GROUP;
        int row = work / (STRIP / QUADS);
        int texel = work % (STRIP / QUADS);
        if (texel < RESULTS / QUADS && before + row >= 0 && before + row < rows) {
            imageStore(i_dst, ivec2(first_texel + texel, first_row + before + row), done_texel(row, texel * QUADS));
        }
    }
}

#if SHARPEN == 1
// A quad of each of these rows, in the first lanes.
void load_own(int tx, int quad, int first_row, out uvec4 own[ROWS]) {
    for (int i = 0; i < ROWS; ++i) {
        uvec4 texel = imageLoad(i_own, ivec2(tx, first_row + i));
#if DST_DEPTH == 8
        own[i] = uvec4(texel[quad], 0u, 0u, 0u);
#elif DST_DEPTH == 16
        own[i] = uvec4(texel[2 * quad], texel[2 * quad + 1], 0u, 0u);
#else
        own[i] = texel;
#endif
    }
}
#endif

void main() {
    int me = int(gl_LocalInvocationIndex);
    int strip = int(gl_WorkGroupID.x);
    strip += strip >= u_skip.x ? u_skip.y : 0;
    int first_texel = (strip * RESULTS - REACH) / QUADS;
    int first_row = int(gl_WorkGroupID.y) * u_rows;
    int rows = min(u_rows, u_size.y - first_row);
    const int lead = (2 * RADIUS + ROWS - 1) / ROWS * ROWS; // rows before the first is done, rounded up to turns
    vec4 sums[2 * RADIUS + 1];
    for (int i = 0; i <= 2 * RADIUS; ++i) {
        sums[i] = vec4(0.0);
    }
    uvec4 next[LOADS];
    load_rows(first_texel, first_row + RADIUS - lead, next);
    for (int done = -lead; done < rows + ROWS; done += ROWS) { // a turn more stores the last rows
        int row = first_row + RADIUS + done;
        share_rows(row, next);
        load_rows(first_texel, row + ROWS, next);
        wg_sync();
#if EDGE == 1 && BORDER != 3
        complete_rows(first_texel * SRC_PIXELS);
        wg_sync();
#endif
#if SHARPEN == 1
        uvec4 own[ROWS]; // long before it is used
        load_own(first_texel + (REACH + me) / QUADS, me % QUADS, first_row + done, own);
#endif
        store_rows(first_texel + REACH / QUADS, first_row, done - ROWS, rows);
        const int spans = RESULTS / SPAN;
        if (me < ROWS * spans) {
            sum_along_x(int(uint(me) / uint(spans)), int(uint(me) % uint(spans)));
        }
        wg_sync();
        if (me < RESULTS) {
            for (int i = 0; i < ROWS; ++i) {
                vec4 oldest = add_row(s_sum[i][PLACE(me)], sums);
                vec4 means = finished(oldest, u_scale);
#if SHARPEN == 1
                means = sharpened(means, own[i], 0);
#endif
                s_done[i][me] = words_of(means);
            }
        }
    }
}
