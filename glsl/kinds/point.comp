#version 430 core
#pragma optionNV(unroll all)
// A point operation: every pixel of the result is a function of the same pixel of the source.
//
// OPERATION is a file with `vec4 point(vec4 v)`: colour and alpha of a pixel, 0 to 1 or floats as they are; grey has its
// value three times, and what has no alpha is opaque. It reads its parameters by param(i).
//
// Reads   i_src     the image
//         b_params  the parameters
// Writes  i_dst     the result, of as many pixels; its channels and depth may differ
// Shared memory     none, or 1 KiB with TABLE; groups come in any order.
//
// @define OPERATION point       a file of this kind
// @define CHANNELS     1|2|4    as stored
// @define DST_CHANNELS 1|2|4    as stored
// @define SRC_DEPTH    8|16|32  bits of a channel
// @define DST_DEPTH    8|16|32
// @define TABLE        0|1      1: each channel depends on itself only, and 256 codes are computed in place of all pixels
// @skip TABLE=1 SRC_DEPTH=16
// @skip TABLE=1 SRC_DEPTH=32
// @skip TABLE=1 DST_DEPTH=16
// @skip TABLE=1 DST_DEPTH=32
// @skip TABLE=1 CHANNELS=1 DST_CHANNELS=2
// @skip TABLE=1 CHANNELS=1 DST_CHANNELS=4
// @skip TABLE=1 CHANNELS=2 DST_CHANNELS=1
// @skip TABLE=1 CHANNELS=2 DST_CHANNELS=4
// @skip TABLE=1 CHANNELS=4 DST_CHANNELS=1
// @skip TABLE=1 CHANNELS=4 DST_CHANNELS=2
#include "lib/sync.glsl"
#include "lib/texel.glsl"
#include "lib/put_lane.glsl"
#include "lib/reproducible.glsl"
#include "lib/code.glsl"

layout(local_size_x = 32, local_size_y = 8) in;

layout(rgba32ui) writeonly uniform uimage2D i_dst;
layout(std430) readonly buffer b_params { float params[]; };

int first_param = 0; // of the operation, where several run one after another

float param(int i) {
    return params[first_param + i];
}

#define DST_PIXELS (128 / DST_DEPTH / DST_CHANNELS)
#define UNIT_PIXELS (SRC_PIXELS > DST_PIXELS ? SRC_PIXELS : DST_PIXELS)

#if SRC_DEPTH == 8
#define FROM_CODE 3.9215688593685627e-3 // 1/255 as a float
#else
#define FROM_CODE 1.5259021893143654e-5 // 1/65535
#endif

uint bits_of(float value) {
#if DST_DEPTH == 32
    return code_of(value);
#else
    float code = product_of(value, float((1 << DST_DEPTH) - 1));
    return code_of(isnan(code) ? 0.0 : code);
#endif
}

// A value of the source's depth, stored and loaded.
float kept(float value) {
#if SRC_DEPTH == 32
    return uintBitsToFloat(bits_of(value));
#else
    return product_of(float(bits_of(value)), FROM_CODE);
#endif
}

// The same of a pixel with so many channels.
vec4 kept(vec4 v, int channels) {
    return channels == 4 ? vec4(kept(v.r), kept(v.g), kept(v.b), kept(v.a)) : vec4(vec3(kept(v.r)), channels == 2 ? kept(v.a) : 1.0);
}

#include OPERATION

float value_of(uvec4 texel, int lane) {
#if SRC_DEPTH == 32
    return uintBitsToFloat(texel[lane]);
#else
    return product_of(float(lane_bits(texel, lane)), FROM_CODE);
#endif
}

vec4 pixel_at(uvec4 texel, int pixel) {
    int lane = pixel * CHANNELS;
#if CHANNELS == 4
    return vec4(value_of(texel, lane), value_of(texel, lane + 1), value_of(texel, lane + 2), value_of(texel, lane + 3));
#elif CHANNELS == 2
    return vec4(vec3(value_of(texel, lane)), value_of(texel, lane + 1));
#else
    return vec4(vec3(value_of(texel, lane)), 1.0);
#endif
}

#if TABLE
shared uint s_codes[256]; // of each code: the result's red, green, blue and alpha, where the source's channels all have that code

void fill_table() {
    uint code = gl_LocalInvocationIndex;
    vec4 v = point(vec4(product_of(float(code), FROM_CODE)));
    s_codes[code] = bits_of(v.r) | bits_of(v.g) << 8 | bits_of(v.b) << 16 | bits_of(v.a) << 24;
    wg_sync();
}

uvec4 result_of(uvec4 source) {
    uvec4 result = uvec4(0u);
    for (int lane = 0; lane < SRC_LANES; ++lane) {
        int channel = CHANNELS == 2 && (lane & 1) == 1 ? 3 : lane & (CHANNELS - 1);
        put_lane(result, lane, bitfieldExtract(s_codes[lane_bits(source, lane)], channel * 8, 8));
    }
    return result;
}
#endif

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
#if TABLE
    fill_table();
    imageStore(i_dst, at, result_of(imageLoad(i_src, at)));
#else
    uvec4 source = uvec4(0u);
    uvec4 result = uvec4(0u);
    for (int p = 0; p < UNIT_PIXELS; ++p) {
        if (p % SRC_PIXELS == 0) {
            source = imageLoad(i_src, ivec2(at.x * (UNIT_PIXELS / SRC_PIXELS) + p / SRC_PIXELS, at.y));
        }
        vec4 v = point(pixel_at(source, p % SRC_PIXELS));
        for (int c = 0; c < DST_CHANNELS; ++c) {
            float value = DST_CHANNELS == 2 && c == 1 ? v.a : v[c];
            put_lane(result, (p % DST_PIXELS) * DST_CHANNELS + c, bits_of(value));
        }
        if (p % DST_PIXELS == DST_PIXELS - 1) {
            imageStore(i_dst, ivec2(at.x * (UNIT_PIXELS / DST_PIXELS) + p / DST_PIXELS, at.y), result);
            result = uvec4(0u);
        }
    }
#endif
}
