#version 430 core
// Gives pixels of alpha 0, whose colours cannot be seen, the colour of the nearest pixel in their line that can: of two
// as near the one before. Alpha stays. Along AXIS 0 with rows as lines, then along AXIS 1; a colour that was given
// in the first counts as one that can be seen in the second, which b_given remembers.
//
// Reads    i_src    the image, or the result of AXIS 0
// Updates  b_given  a bit for each pixel, 32 of a row in a word: whether it has a colour. AXIS 0 writes, AXIS 1 reads
// Writes   i_dst    the image with colours
// Group grid        x covers the units of 32 pixels, y the rows
// Shared memory     none; invocations are independent, groups come in any order.
// Source            none: a search
//
// @define AXIS      0|1
// @define CHANNELS  2|4      as stored; the last one is alpha
// @define SRC_DEPTH 8|16|32  bits of a channel
#include "lib/texel.glsl"

layout(local_size_x = 64) in;

layout(std430) buffer b_given { uint given[]; };
layout(rgba32ui) writeonly uniform uimage2D i_dst;

uniform int u_reach;
uniform int u_words; // of a row of b_given

#define UNIT 32
#define LANE_BITS (SRC_DEPTH == 32 ? 0xffffffffu : (1u << (SRC_DEPTH % 32)) - 1u)

uint[CHANNELS] pixel_at(int x, int y) {
    uvec4 texel = imageLoad(i_src, ivec2(x / SRC_PIXELS, y));
    uint lanes[CHANNELS];
    for (int c = 0; c < CHANNELS; ++c) {
        lanes[c] = lane_bits(texel, x % SRC_PIXELS * CHANNELS + c);
    }
    return lanes;
}

bool has_alpha(int x, int y) {
    uvec4 texel = imageLoad(i_src, ivec2(x / SRC_PIXELS, y));
    uint bits = lane_bits(texel, x % SRC_PIXELS * CHANNELS + CHANNELS - 1);
#if SRC_DEPTH == 32
    return (bits & 0x7fffffffu) != 0u; // -0, too
#else
    return bits != 0u;
#endif
}

bool has_colour(int x, int y) {
    bool inside = x >= 0 && y >= 0 && x < u_size.x && y < u_size.y;
    if (!inside) {
        return false;
    }
#if AXIS == 0
    return has_alpha(x, y);
#else
    return (given[y * u_words + x / UNIT] >> (x % UNIT) & 1u) != 0u;
#endif
}

// How far to the nearest pixel with a colour, 0 where there is none in reach.
int step_from(int x, int y) {
    for (int d = 1; d <= u_reach; ++d) {
        ivec2 step = AXIS == 0 ? ivec2(d, 0) : ivec2(0, d);
        if (has_colour(x - step.x, y - step.y)) {
            return -d;
        }
        if (has_colour(x + step.x, y + step.y)) {
            return d;
        }
    }
    return 0;
}

void put(inout uvec4 texel, int lane, uint bits) {
    int per_word = 32 / SRC_DEPTH;
    int shift = lane % per_word * (SRC_DEPTH % 32);
    texel[lane / per_word] = (texel[lane / per_word] & ~(LANE_BITS << shift)) | bits << shift;
}

void main() {
    int unit = int(gl_GlobalInvocationID.x);
    int y = int(gl_GlobalInvocationID.y);
    int first = unit * UNIT;
    if (first < u_size.x && y < u_size.y) {
        uint seen = 0u;
        for (int t = 0; t < UNIT / SRC_PIXELS; ++t) {
            int left = first + t * SRC_PIXELS;
            uvec4 texel = imageLoad(i_src, ivec2(left / SRC_PIXELS, y));
            for (int p = 0; p < SRC_PIXELS; ++p) {
                int x = left + p;
                bool is_there = x < u_size.x;
                bool is_given = is_there && has_colour(x, y);
                int step = is_there && !is_given ? step_from(x, y) : 0;
                if (step != 0) {
                    uint from[CHANNELS] = pixel_at(AXIS == 0 ? x + step : x, AXIS == 0 ? y : y + step);
                    for (int c = 0; c < CHANNELS - 1; ++c) {
                        put(texel, p * CHANNELS + c, from[c]);
                    }
                }
                seen |= uint(is_given || step != 0) << (x % UNIT);
            }
            if (left < u_size.x) {
                imageStore(i_dst, ivec2(left / SRC_PIXELS, y), texel);
            }
        }
#if AXIS == 0
        given[y * u_words + unit] = seen;
#endif
    }
}
