#version 430 core
#pragma optionNV(unroll all)
// A point operation: every pixel of the result is a function of the same pixel of the source.
//
// OPERATION is a file with `vec4 point(vec4 v)`. It takes colour and alpha of a pixel, 0 to 1, or floats as they are.
// Grey comes as three equal values, and images without alpha are opaque. It reads its parameters by param(i), and
// where the pixel lies in the whole image by `ivec2 place()`. With SECOND it has a pixel of a second image beside it.
// It may have `vec3 entered(vec3 v)`, through which colours come in, each alone. Codes of 8 bits are looked up there.
//
// Reads   i_src     the image
//         b_params  the parameters, with PARAMS 0; else u_params
//         b_codes   tables, with TABLES: of operations in a run, see kinds/point_table.comp
//         i_second  with SECOND: part of a second image, of SRC_DEPTH; its texels begin where texels of the image begin
// Writes  i_dst     the result, of as many pixels; its channels and depth may differ
// Shared memory     1 KiB a table, and 3 for entered(); groups come in any order.
//
// @define OPERATION point       a file of this kind
// @define CHANNELS     1|2|4    as stored
// @define DST_CHANNELS 1|2|4    as stored
// @define SRC_DEPTH    8|16|32  bits of a channel
// @define DST_DEPTH    8|16|32
// @define FETCHED      0|1      lib/texel.glsl
// @define NANS         0|1      whether there may be any
// @define PARAMS       0|16     lib/point_values.glsl
// @define TABLES       0|3      up to 8
// @define ENTRY        0        1: entered() by table, 2: computed. Files that have it declare these
// @define SECOND       0|4      channels of the second image as stored, also 1 and 2; 0: there is none
// @skip SRC_DEPTH=32 NANS=0
// @skip DST_DEPTH=32 NANS=0
// @skip TABLES=3 SRC_DEPTH=16
// @skip TABLES=3 SRC_DEPTH=32
// @skip TABLES=3 DST_DEPTH=16
// @skip TABLES=3 DST_DEPTH=32
// @skip SECOND=4 TABLES=3
// @skip SECOND=4 FETCHED=1
// @skip SECOND=4 CHANNELS=1
#include "lib/sync.glsl"
#include "lib/texel.glsl"
#include "lib/point_values.glsl"
#include "lib/tables.glsl"

layout(local_size_x = 8, local_size_y = 32) in;

layout(rgba32ui) writeonly uniform uimage2D i_dst;

uniform ivec2 u_first; // where i_src begins in the whole image

#ifndef SECOND
#define SECOND 0
#endif
#if SECOND > 0
#if FETCHED == 1
uniform usampler2D i_second;
#else
layout(rgba32ui) readonly uniform uimage2D i_second;
#endif
uniform ivec2 u_second_first; // where i_second begins in the whole image
uniform ivec2 u_covered_first; // the rectangle that the second image covers, to one past its end
uniform ivec2 u_covered_end;
uniform ivec2 u_first_unit; // of those that are made, in i_dst
#define SECOND_PIXELS (128 / SRC_DEPTH / SECOND)
#else
#define SECOND_PIXELS 1
#endif

#ifndef ENTRY
#define ENTRY 0
#endif
#if ENTRY == 1
shared float s_entered[3 * 256];

// entered() of colours as an 8-bit image has them.
vec3 looked_up_entered(vec3 v) {
    uvec3 code = uvec3(v * 255.0 + 0.5) & 255u;
    return vec3(s_entered[code.r], s_entered[256u + code.g], s_entered[512u + code.b]);
}
#define COME_IN(v) looked_up_entered(v)
#else
#define COME_IN(v) entered(v)
#endif

#if TABLES > 0
// Looks a pixel of so many channels up in a table. `v` holds its values as an 8-bit image has them.
vec4 looked_up(int table, vec4 v, int channels) {
    vec4 code = v * 255.0 + 0.5;
    float first = value_of_bits(code_in_table(table, uint(code.r), 0));
    float alpha = channels == 1 ? 1.0 : value_of_bits(code_in_table(table, uint(code.a), 3));
    return channels < 4 ? vec4(vec3(first), alpha)
                        : vec4(first, value_of_bits(code_in_table(table, uint(code.g), 1)),
                               value_of_bits(code_in_table(table, uint(code.b), 2)), alpha);
}
#endif

#include OPERATION

#if ENTRY == 1
// A group has as many invocations as there are codes.
void enter_codes() {
    uint code = gl_LocalInvocationIndex;
    vec3 v = entered(vec3(value_of_bits(code)));
    s_entered[code] = v.r;
    s_entered[256u + code] = v.g;
    s_entered[512u + code] = v.b;
    wg_sync();
}
#endif

// As point() takes it. Of a run a later step may have entered().
vec4 come_in(vec4 v) {
#if ENTRY > 0 && !defined(ENTERS_LATER)
    return vec4(COME_IN(v.rgb), v.a);
#else
    return v;
#endif
}

#define DST_PIXELS (128 / DST_DEPTH / DST_CHANNELS)
#if SRC_PIXELS > DST_PIXELS && SRC_PIXELS > SECOND_PIXELS
#define UNIT_PIXELS SRC_PIXELS
#elif DST_PIXELS > SECOND_PIXELS
#define UNIT_PIXELS DST_PIXELS
#else
#define UNIT_PIXELS SECOND_PIXELS
#endif

vec4 pixel_at(uvec4 texel, int pixel, int channels) {
    int lane = pixel * channels;
    float first = value_of_bits(lane_bits(texel, lane));
    float alpha = channels == 1 ? 1.0 : value_of_bits(lane_bits(texel, lane + channels - 1));
    return channels < 4 ? vec4(vec3(first), alpha)
                        : vec4(first, value_of_bits(lane_bits(texel, lane + 1)),
                               value_of_bits(lane_bits(texel, lane + 2)), alpha);
}

#if SECOND > 0
uvec4 second_texel = uvec4(0u);

// Pixel `p` of the second image. Its texels begin where units do, so that one load serves all of its pixels.
void place_second(int p) {
    if (p % SECOND_PIXELS == 0) {
        ivec2 from = placed - u_second_first;
        ivec2 at = ivec2(from.x / SECOND_PIXELS, from.y);
        bool is_within = from.x >= 0 && placed.x < u_covered_end.x && placed.y >= u_covered_first.y &&
                         placed.y < u_covered_end.y;
#if FETCHED == 1
        second_texel = is_within ? texelFetch(i_second, at, 0) : uvec4(0u);
#else
        second_texel = is_within ? imageLoad(i_second, at) : uvec4(0u);
#endif
    }
    is_covered = all(greaterThanEqual(placed, u_covered_first)) && all(lessThan(placed, u_covered_end));
    laid_on = pixel_at(second_texel, p % SECOND_PIXELS, SECOND);
}
#endif

// Makes pixel `p` of those that an invocation makes.
void make_pixel(int p, ivec2 at, inout uvec4 source, inout uvec4 result) {
    if (p % SRC_PIXELS == 0) {
        source = texel_at( ivec2(at.x * (UNIT_PIXELS / SRC_PIXELS) + p / SRC_PIXELS, at.y));
    }
    placed = u_first + ivec2(at.x * UNIT_PIXELS + p, at.y);
#if SECOND > 0
    place_second(p);
#endif
    vec4 v = point(come_in(pixel_at(source, p % SRC_PIXELS, CHANNELS)));
    for (int c = 0; c < DST_CHANNELS; ++c) {
        float value = DST_CHANNELS == 2 && c == 1 ? v.a : v[c];
        put_value(result, (p % DST_PIXELS) * DST_CHANNELS + c, value);
    }
    if (p % DST_PIXELS == DST_PIXELS - 1) {
        imageStore(i_dst, ivec2(at.x * (UNIT_PIXELS / DST_PIXELS) + p / DST_PIXELS, at.y), result);
        result = uvec4(0u);
    }
}

// Written out, as Mesa turns larger bodies into loops, which then load all parameters again for every pixel.
void make_pixels(int p, ivec2 at, inout uvec4 source, inout uvec4 result) {
    make_pixel(p, at, source, result);
#if UNIT_PIXELS > 1
    make_pixel(p + 1, at, source, result);
#endif
#if UNIT_PIXELS > 2
    make_pixel(p + 2, at, source, result);
    make_pixel(p + 3, at, source, result);
#endif
}

void main() {
#if SECOND > 0
    ivec2 at = u_first_unit + ivec2(gl_GlobalInvocationID.xy);
#else
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
#endif
#if TABLES > 0
    load_tables();
#endif
#if ENTRY == 1
    enter_codes();
#endif
    uvec4 source = uvec4(0u);
    uvec4 result = uvec4(0u);
    make_pixels(0, at, source, result);
#if UNIT_PIXELS > 4
    make_pixels(4, at, source, result);
#endif
#if UNIT_PIXELS > 8
    make_pixels(8, at, source, result);
    make_pixels(12, at, source, result);
#endif
}
