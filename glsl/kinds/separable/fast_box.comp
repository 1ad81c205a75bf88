#version 430 core
// Box sums at a cost that does not grow with the radius: AXIS 1 first, then AXIS 0. Each keeps a running sum, adds the
// value that enters the box and subtracts the value that leaves it. Sums are whole numbers, so they are exact.
//
// AXIS 1: an invocation walks down u_rows rows of a column of texels.
// Reads   i_src   the image
// Writes  i_dst   sums along y, of DST_DEPTH bits
//
// AXIS 0: along a row, the values that enter minus the values that leave form a list. The prefix sums of that list are
// the running sums. GROUP invocations share a row, or each walks along one of its own (GROUP 1).
// Reads   i_src   sums along y
// Writes  i_dst   the result
// Shared memory   none with GROUP 1, else lib/wg_scan.glsl or lib/subgroup.glsl times CHANNELS.
//
// Groups come in any order.
// Source  M. J. McDonnell, Box-filtering techniques, CGIP 17(1), 1981.
//
// @define AXIS      0|1         along x, along y
// @define BORDER    0|1|2|3|4   lib/border.glsl
// @define CHANNELS  1|2|4       as stored
// @define SRC_DEPTH 8|16|32     bits of a channel; of the sums with AXIS 0
// @define DST_DEPTH 8|16|32     of the sums with AXIS 1
// @define ALPHA     0|1         lib/pixel.glsl
// @define WIDE      0|1         1: sums of both axes need more than 32 bits
// @define GROUP     1|256       invocations of a row
// @define SUBGROUP  0|1         lib/subgroup.glsl
// @skip AXIS=0 SRC_DEPTH=8
// @skip AXIS=0 DST_DEPTH=32
// @skip AXIS=1 SRC_DEPTH=32
// @skip AXIS=1 DST_DEPTH=8
// @skip AXIS=1 WIDE=1
// @skip AXIS=1 GROUP=256
// @skip GROUP=1 SUBGROUP=1
// @skip CHANNELS=1 ALPHA=1
#define QUADS 1
#define VALUE_LANES CHANNELS
#define FLOAT 0
#include "lib/subgroup.glsl"
#include "lib/wg_scan.glsl"
#include "lib/pixel.glsl"
#include "lib/border.glsl"

uniform int u_radius; // along this axis

#if AXIS == 1
layout(local_size_x = 32, local_size_y = 4) in;

#define AHEAD 4 // rows whose loads are under way at the same time

uniform int u_rows;

uvec4 texel_at(int x, int y) {
    int row = border_index(y, u_size.y);
    uvec4 texel = imageLoad(i_src, ivec2(x, row));
    return row < 0 ? u_border_texel : texel;
}

// The value of a lane, weighted by alpha where it is a colour.
uint weighted(uvec4 texel, int lane) {
#if ALPHA == 1
    int alpha = lane / CHANNELS * CHANNELS + CHANNELS - 1;
    return lane == alpha ? lane_bits(texel, lane) : lane_bits(texel, lane) * lane_bits(texel, alpha);
#else
    return lane_bits(texel, lane);
#endif
}

void store_sums(int x, int y, uint sums[UNIT_LANES]) {
    for (int t = 0; t < DST_TEXELS; ++t) {
        uvec4 texel = uvec4(0u);
        for (int lane = 0; lane < DST_LANES; ++lane) {
            put_lane(texel, lane, sums[t * DST_LANES + lane]);
        }
        imageStore(i_dst, ivec2(x * DST_TEXELS + t, y), texel);
    }
}

void main() {
    int x = int(gl_GlobalInvocationID.x);
    int begin = int(gl_GlobalInvocationID.y) * u_rows;
    int end = min(begin + u_rows, u_size.y);
    uint sums[UNIT_LANES];
    for (int lane = 0; lane < UNIT_LANES; ++lane) {
        sums[lane] = 0u;
    }
    for (int d = -u_radius; d <= u_radius && begin < end; ++d) {
        uvec4 texel = texel_at(x, begin + d);
        for (int lane = 0; lane < UNIT_LANES; ++lane) {
            sums[lane] += weighted(texel, lane);
        }
    }
    for (int y = begin; y < end; y += AHEAD) {
        uvec4 incoming[AHEAD];
        uvec4 outgoing[AHEAD];
        for (int i = 0; i < AHEAD; ++i) {
            incoming[i] = texel_at(x, y + i + u_radius + 1);
            outgoing[i] = texel_at(x, y + i - u_radius);
        }
        for (int i = 0; i < AHEAD; ++i) {
            if (y + i < end) {
                store_sums(x, y + i, sums);
            }
            for (int lane = 0; lane < UNIT_LANES; ++lane) {
                sums[lane] += weighted(incoming[i], lane) - weighted(outgoing[i], lane);
            }
        }
    }
}
#else
#if GROUP > 1
layout(local_size_x = GROUP) in;
#define ROW int(gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x)
#define PLACE int(wg_place(0u))
VALUE sum_before(inout VALUE sum) {
    VALUE values[1];
    values[0] = sum;
    sum = wg_scan(values);
    return values[0];
}
#else
layout(local_size_x = 8) in;
#define ROW int(gl_GlobalInvocationID.x)
#define PLACE 0
VALUE sum_before(inout VALUE sum) {
    return VALUE(0);
}
#endif

#define OUT_PIXELS (128 / DST_DEPTH / CHANNELS)
#define PARTS (WIDE + 1) // bits 16 and above of a sum, and the bits below

uniform float u_scale;   // 1 / pixels of the box
uniform uvec4 u_outside; // the sums of a column that lies beyond a constant border

// The sums of pixel x, in parts; the last lanes are 0 where there are fewer channels.
void sums_at(int x, int y, out VALUE parts[PARTS]) {
    int from = border_index(x, u_size.x);
    uvec4 texel = imageLoad(i_src, ivec2(from / SRC_PIXELS, y));
    uvec4 sums = uvec4(0u);
    for (int c = 0; c < CHANNELS; ++c) {
        uint inside = lane_bits(texel, from % SRC_PIXELS * CHANNELS + c);
        sums[c] = from < 0 ? u_outside[c] : inside;
    }
#if CHANNELS == 1
    VALUE value = sums.x;
#elif CHANNELS == 2
    VALUE value = sums.xy;
#else
    VALUE value = sums;
#endif
#if WIDE == 1
    parts[0] = value >> 16;
    parts[1] = value & 65535u;
#else
    parts[0] = value;
#endif
}

void add(inout VALUE sums[PARTS], VALUE more[PARTS]) {
    for (int i = 0; i < PARTS; ++i) {
        sums[i] += more[i];
    }
}

uint lane_of(VALUE value, int c) {
#if CHANNELS == 1
    return value;
#else
    return value[c];
#endif
}

// The running sum before pixel 0. For all invocations of a row.
void first_sum(int y, out VALUE sums[PARTS]) {
    for (int i = 0; i < PARTS; ++i) {
        sums[i] = VALUE(0);
    }
    for (int x = -1 - u_radius + PLACE; x < u_radius; x += GROUP) {
        VALUE parts[PARTS];
        sums_at(x, y, parts);
        add(sums, parts);
    }
    for (int i = 0; i < PARTS; ++i) {
        sum_before(sums[i]);
    }
}

void store_pixels(int unit, int y, VALUE sums[OUT_PIXELS][PARTS]) {
    float values[UNIT_LANES];
    for (int lane = 0; lane < OUT_PIXELS * CHANNELS; ++lane) {
        int c = lane % CHANNELS;
#if WIDE == 1
        values[lane] = float_of(lane_of(sums[lane / CHANNELS][0], c), lane_of(sums[lane / CHANNELS][1], c));
#else
        values[lane] = float_of(lane_of(sums[lane / CHANNELS][0], c));
#endif
    }
    finish(values, u_scale);
    store_unit(unit, y, values);
}

void main() {
    int y = ROW;
    VALUE carry[PARTS];
    first_sum(y, carry);
    for (int first = 0; first * OUT_PIXELS < u_size.x; first += GROUP) {
        int unit = first + PLACE;
        VALUE sums[OUT_PIXELS][PARTS];
        VALUE running[PARTS];
        for (int p = 0; p < OUT_PIXELS; ++p) {
            VALUE incoming[PARTS];
            VALUE outgoing[PARTS];
            sums_at(unit * OUT_PIXELS + p + u_radius, y, incoming);
            sums_at(unit * OUT_PIXELS + p - u_radius - 1, y, outgoing);
            for (int i = 0; i < PARTS; ++i) {
                VALUE change = incoming[i] - outgoing[i];
                running[i] = p == 0 ? change : running[i] + change;
                sums[p][i] = running[i];
            }
        }
        for (int i = 0; i < PARTS; ++i) {
            VALUE before = sum_before(running[i]);
            for (int p = 0; p < OUT_PIXELS; ++p) {
                sums[p][i] += carry[i] + before;
            }
            carry[i] += running[i];
        }
        store_pixels(unit, y, sums);
    }
}
#endif
