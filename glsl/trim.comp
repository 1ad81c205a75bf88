#version 430 core
// The smallest rectangle that holds every pixel unlike the border.
//
// Reads    i_src  the image
// Updates  b_box  first column, first row, and the last ones with all bits turned; all bits set before
// Group grid      lib/group.glsl: an invocation for a column of texels in a strip of rows; any order
// Shared bytes    16
// Source          none: a search
//
// @define CHANNELS  1|2|4     as stored
// @define SRC_DEPTH 8|16|32   bits of a channel
// @define ALPHA     0|1       whether the last channel is alpha: colours are then compared as they look on black
// @skip CHANNELS=1 ALPHA=1
// @skip CHANNELS=2 ALPHA=0
#include "lib/texel.glsl"
#include "lib/value.glsl"
#include "lib/hidden.glsl"
#include "lib/sync.glsl"

layout(local_size_x = 256) in;
#include "lib/group.glsl"

layout(std430) buffer b_box { uint box[]; };

uniform uint u_columns;   // of texels
uniform int u_strip_rows;
uniform int u_from_first; // 1: the border looks like the first pixel
uniform uvec4 u_border;   // else: the lanes of a pixel of it
uniform uint u_tolerance; // a code; or the bits of a float

#define COLOURS (CHANNELS == 4 ? 3 : 1)

shared uint s_box[4];

#if SRC_DEPTH == 32
#define VALUE float
#define FULL 1.0

// Drivers may flush denormal numbers: below 2^-96 all is 0.
float without_tiny(float v) {
    return abs(v) < uintBitsToFloat(0x0f800000u) ? 0.0 : v;
}

float value_of(uint bits) {
    return without_tiny(uintBitsToFloat(bits));
}

float on_black(float v, float alpha) {
    return without_tiny(weighted_colour(v, alpha));
}

bool is_near(float v, float border, float scale) {
    precise float difference = v - border;
    return !is_nan(v) && (v == border || abs(difference) <= uintBitsToFloat(u_tolerance));
}
#else
#define VALUE uint
#define FULL uint((1 << SRC_DEPTH) - 1)

uint value_of(uint bits) {
    return bits;
}

// At most 65535 x 65535.
uint on_black(uint v, uint alpha) {
    return v * alpha;
}

bool is_near(uint v, uint border, uint scale) {
    return max(v, border) - min(v, border) <= u_tolerance * scale;
}
#endif

// The pixel whose first lane it is.
bool is_border(uvec4 texel, int lane, uvec4 border) {
    bool near = true;
#if ALPHA == 1
    VALUE alpha = value_of(lane_bits(texel, lane + CHANNELS - 1));
    VALUE border_alpha = value_of(border[CHANNELS - 1]);
    near = is_near(alpha, border_alpha, VALUE(1));
#endif
    for (int c = 0; c < COLOURS; ++c) {
        VALUE v = value_of(lane_bits(texel, lane + c));
        VALUE other = value_of(border[c]);
#if ALPHA == 1
        near = near && is_near(on_black(v, alpha), on_black(other, border_alpha), FULL);
#else
        near = near && is_near(v, other, VALUE(1));
#endif
    }
    return near;
}

uvec4 border_lanes() {
    uvec4 border = u_border;
    if (u_from_first == 1) {
        uvec4 first = texel_at(ivec2(0));
        for (int c = 0; c < CHANNELS; ++c) {
            border[c] = lane_bits(first, c);
        }
    }
    return border;
}

uvec4 found_in(int column, int from, int to, uvec4 border) {
    uvec4 found = uvec4(0xffffffffu);
    for (int y = from; y < to; ++y) {
        uvec4 texel = texel_at(ivec2(column, y));
        for (int pixel = 0; pixel < SRC_PIXELS; ++pixel) {
            int x = column * SRC_PIXELS + pixel;
            if (x < u_size.x && !is_border(texel, pixel * CHANNELS, border)) {
                found = min(found, uvec4(x, y, ~x, ~y));
            }
        }
    }
    return found;
}

void main() {
    uint lane = gl_LocalInvocationIndex;
    if (lane < 4u) {
        s_box[lane] = 0xffffffffu;
    }
    wg_sync();
    uint i = linear_invocation();
    uint strip = i / u_columns;
    int from = int(strip) * u_strip_rows;
    uvec4 found = found_in(int(i - strip * u_columns), from, min(from + u_strip_rows, u_size.y), border_lanes());
    if (found.x != 0xffffffffu) {
        atomicMin(s_box[0], found.x);
        atomicMin(s_box[1], found.y);
        atomicMin(s_box[2], found.z);
        atomicMin(s_box[3], found.w);
    }
    wg_sync();
    if (lane < 4u && s_box[lane] != 0xffffffffu) {
        atomicMin(box[lane], s_box[lane]);
    }
}
