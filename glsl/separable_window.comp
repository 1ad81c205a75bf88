#version 430 core
// Both axes of a separable filter in one pass: a group marches down a strip of the image.
//
// Each of GROUP invocations owns a column of quads (four channel values side by side) and keeps the sums along y of
// the 2 RADIUS + 1 rows that are under way in registers: a new row is added to all of them, and the oldest is done.
// Finished rows go to shared memory, ROWS at a time, where each invocation sums whole texels along x and stores them.
// Every pixel is loaded once a strip, and half of the sums need no shared memory.
//
// Reads   i_src    the image
// Writes  i_dst    the result, of the same format
// Shared bytes     64 * STRIP * STRIDE + 128 * STRIP; groups come in any order
// Source           a separable filter as in Gonzalez and Woods, Digital Image Processing, 4th ed., 3.5.
//
// @define BORDER    0|1|2|3|4     lib/border.glsl
// @define CHANNELS  1|2|4         as stored
// @define SRC_DEPTH 8|16|32       bits of a channel
// @define ALPHA     0|1|2         lib/pixel.glsl
// @define RADIUS    2|4|8|12|16   at least the radius of both axes
// @define GROUP     64|128        invocations
// @skip CHANNELS=1 ALPHA=1
// @skip CHANNELS=1 ALPHA=2
#pragma optionNV(unroll all)
#define DST_DEPTH SRC_DEPTH
#include "lib/sync.glsl"
#include "lib/pixel.glsl"
#include "lib/border.glsl"

#define ROWS 4

layout(local_size_x = GROUP) in;

uniform float u_taps_x[RADIUS + 1]; // half kernels, zero beyond the radius
uniform float u_taps_y[RADIUS + 1];
uniform float u_scale; // multiplies the sums before they are stored
uniform int u_rows; // of a strip; a multiple of ROWS

#define TEXEL_QUADS (SRC_LANES / 4)
#define STRIP (GROUP / TEXEL_QUADS)                     // texels that a group loads of a row
#define REACH ((RADIUS + SRC_PIXELS - 1) / SRC_PIXELS)  // of them left and right of what it stores
#define UNITS (STRIP - 2 * REACH)
#define LOADS ((ROWS * STRIP + GROUP - 1) / GROUP)

#if SRC_DEPTH == 8
#define QUAD uint
QUAD quad_of(uvec4 texel, int quad) {
    return texel[quad];
}
vec4 quad_values(QUAD q) {
    return vec4(float(q & 255u), float(bitfieldExtract(q, 8, 8)), float(bitfieldExtract(q, 16, 8)), float(q >> 24));
}
#elif SRC_DEPTH == 16
#define QUAD uvec2
QUAD quad_of(uvec4 texel, int quad) {
    return quad == 0 ? texel.xy : texel.zw;
}
vec4 quad_values(QUAD q) {
    return vec4(float(q.x & 65535u), float(q.x >> 16), float(q.y & 65535u), float(q.y >> 16));
}
#else
#define QUAD uvec4
QUAD quad_of(uvec4 texel, int quad) {
    return texel;
}
vec4 quad_values(QUAD q) {
    return uintBitsToFloat(q);
}
#endif

// The first quads of all texels lie together, then the second ones, as neighbours read them; a gap after every texel of
// finished rows spreads those that neighbours read over all banks. Two turns' worth of finished rows would save a
// barrier a turn, but leave room for fewer groups.
#define GAP (TEXEL_QUADS > 1 ? 1 : 0)
#define STRIDE (TEXEL_QUADS + GAP)
shared QUAD s_texel[2][TEXEL_QUADS][ROWS * STRIP];
shared vec4 s_row[ROWS][STRIP * STRIDE];

// The quad that an invocation owns, of the texels of a strip.
int my_quad() {
    return int(gl_LocalInvocationIndex / uint(STRIP));
}

int my_texel() {
    return int(gl_LocalInvocationIndex % uint(STRIP));
}

vec4 premultiplied(vec4 v) {
#if ALPHA == 1 && CHANNELS == 4
    v.rgb *= v.a;
#elif ALPHA == 1
    v.xz *= v.yw;
#endif
    return v;
}

#if BORDER == 3
#define LOADED_TEXEL bordered_texel // what a wrapped border needs may lie outside the strip
#else
#define LOADED_TEXEL plain_texel // own_values() knows the border along x
#endif

uvec4 plain_texel(int tx, int row) {
    return imageLoad(i_src, ivec2(tx, row));
}

// Where in the strip the pixel stands that is seen at pixel `pixel` of it, which may lie beyond the image; -1 where
// that is the constant. What no sum needs may be any pixel.
int seen_pixel(int first_texel, int pixel) {
#if BORDER == 3
    return pixel;
#else
    int from = border_index(first_texel * SRC_PIXELS + pixel, u_size.x);
    return from < 0 ? -1 : clamp(from - first_texel * SRC_PIXELS, 0, STRIP * SRC_PIXELS - 1);
#endif
}

vec4 strip_quad(int turn, int row, int quad) {
    uint texel = uint(quad) / uint(TEXEL_QUADS);
    return quad_values(s_texel[turn][uint(quad) % uint(TEXEL_QUADS)][row * STRIP + int(texel)]);
}

// What the invocation's quad is made of: the quad itself, but pixels beyond the image.
#if CHANNELS == 4
#define QUAD_PIXELS 1
#else
#define QUAD_PIXELS (4 / CHANNELS)
#endif

vec4 own_values(int turn, int row, int seen[QUAD_PIXELS], bool whole) {
    vec4 values = strip_quad(turn, row, max(seen[0], 0) * CHANNELS / 4);
#if CHANNELS < 4
    if (!whole) {
        for (int p = 0; p < QUAD_PIXELS; ++p) {
            int lane = max(seen[p], 0) * CHANNELS;
            vec4 from = strip_quad(turn, row, lane / 4);
            for (int c = 0; c < CHANNELS; ++c) {
                values[p * CHANNELS + c] = from[lane % 4 + c];
            }
        }
    }
#endif
#if BORDER == 4
    vec4 constant = quad_values(quad_of(u_border_texel, 0));
    for (int l = 0; l < 4; ++l) {
        values[l] = seen[l * QUAD_PIXELS / 4] < 0 ? constant[l] : values[l];
    }
#endif
    return premultiplied(values);
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

// sums[i] is what row y + i - RADIUS of the result has so far; returns the oldest. Precise, or compilers that see the
// rows of a turn at once would round some sums in one way and some in another.
vec4 add_row(vec4 row, inout vec4 sums[2 * RADIUS + 1]) {
    for (int i = 0; i < 2 * RADIUS; ++i) {
        precise vec4 sum = fma(lane_taps(u_taps_y[abs(i - RADIUS)], i - RADIUS), row, sums[i + 1]);
        sums[i] = sum;
    }
    precise vec4 first = lane_taps(u_taps_y[RADIUS], RADIUS) * row;
    sums[2 * RADIUS] = first;
    return sums[0];
}

void store_row(int row, int unit, int x, int y) {
    float sums[UNIT_LANES];
    for (int lane = 0; lane < UNIT_LANES; ++lane) {
        sums[lane] = 0.0;
    }
    const int reach = (RADIUS * CHANNELS + 3) / 4; // quads
    for (int q = -reach; q < TEXEL_QUADS + reach; ++q) {
        const int k = q + REACH * TEXEL_QUADS; // of the texels from REACH left of the unit on
        vec4 values = s_row[row][unit * STRIDE + (k + GAP * (k / TEXEL_QUADS))];
        for (int l = 0; l < 4; ++l) {
            int from = 4 * q + l;
            for (int to = (from + 4 * reach + 4 * CHANNELS) % CHANNELS; to < UNIT_LANES; to += CHANNELS) {
                int distance = (from - to) / CHANNELS;
                if (abs(distance) <= RADIUS) {
                    sums[to] += lane_taps(u_taps_x[abs(distance)], distance)[l] * values[l];
                }
            }
        }
    }
    for (int lane = 0; lane < UNIT_LANES; ++lane) {
        sums[lane] *= lane_taps(u_scale, 0)[lane % CHANNELS];
    }
    unpremultiply(sums);
#if DST_DEPTH == 8
    uvec4 texel;
    for (int w = 0; w < 4; ++w) {
        texel[w] = bytes_of(vec4(sums[4 * w], sums[4 * w + 1], sums[4 * w + 2], sums[4 * w + 3]));
    }
    imageStore(i_dst, ivec2(x, y), texel);
#else
    store_unit(x, y, sums);
#endif
}

// Loads are a turn ahead of their use, so nothing may look at them here.
void load_rows(int first_texel, int first_row, out uvec4 texels[LOADS]) {
    for (int i = 0; i < LOADS; ++i) {
        int work = int(gl_LocalInvocationIndex) + i * GROUP;
        int row = border_index(first_row + work / STRIP, u_size.y);
        texels[i] = LOADED_TEXEL(first_texel + work % STRIP, row);
    }
}

void share_rows(int turn, int first_row, uvec4 texels[LOADS]) {
    for (int i = 0; i < LOADS; ++i) {
        int work = int(gl_LocalInvocationIndex) + i * GROUP;
        if (work < ROWS * STRIP) {
#if BORDER == 4
            int row = first_row + work / STRIP;
            texels[i] = row < 0 || row >= u_size.y ? u_border_texel : texels[i];
#endif
            for (int q = 0; q < TEXEL_QUADS; ++q) {
                s_texel[turn][q][work] = quad_of(texels[i], q);
            }
        }
    }
}

void main() {
    int me = int(gl_LocalInvocationIndex);
    int first_texel = int(gl_WorkGroupID.x) * UNITS - REACH;
    int first_row = int(gl_WorkGroupID.y) * u_rows;
    int rows = min(u_rows, u_size.y - first_row);
    const int lead = (2 * RADIUS + ROWS - 1) / ROWS * ROWS; // rows before the first is done, rounded up to turns
    int seen[QUAD_PIXELS];
    bool whole = true;
    for (int p = 0; p < QUAD_PIXELS; ++p) {
        int pixel = (my_texel() * TEXEL_QUADS + my_quad()) * 4 / CHANNELS + p;
        seen[p] = seen_pixel(first_texel, pixel);
        whole = whole && seen[p] == pixel;
    }
    int my_place = my_texel() * STRIDE + my_quad();
    vec4 sums[2 * RADIUS + 1];
    for (int i = 0; i <= 2 * RADIUS; ++i) {
        sums[i] = vec4(0.0);
    }
    int begin = first_row + RADIUS - lead;
    uvec4 next[LOADS];
    load_rows(first_texel, begin, next);
    share_rows(0, begin, next);
    load_rows(first_texel, begin + ROWS, next);
    wg_sync();
    int turn = 0;
    for (int done = -lead; done < rows; done += ROWS) {
        for (int i = 0; i < ROWS; ++i) {
            s_row[i][my_place] = add_row(own_values(turn, i, seen, whole), sums);
        }
        share_rows(1 - turn, first_row + RADIUS + done + ROWS, next);
        load_rows(first_texel, first_row + RADIUS + done + 2 * ROWS, next);
        wg_sync();
        for (int i = 0; i < (ROWS * UNITS + GROUP - 1) / GROUP; ++i) {
            int work = me + i * GROUP;
            int row = int(uint(work) / uint(UNITS));
            int unit = int(uint(work) % uint(UNITS));
            if (done >= 0 && row < ROWS && done + row < rows) {
                store_row(row, unit, first_texel + REACH + unit, first_row + done + row);
            }
        }
        wg_sync();
        turn = 1 - turn;
    }
}
