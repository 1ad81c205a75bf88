#version 430 core
// Canny's edges, second step: gradients by the Sobel operator, and the pixels where they are largest across the edge.
//
// A group covers 32 x 16 pixels: it holds them with a margin of 2, then the gradients with a margin of 1. Of several colours the one
// with the largest gradient counts, blue before green before red if they are equal. Beyond the image its edge pixels are repeated for
// the operator, but gradients there are 0. Codes of 8 bits are computed in whole numbers, all others in floats, step by step.
//
// Reads   i_src     rows of the image, with rows around them; or the result of canny/blur.comp
// Writes  b_weak    a bit for each pixel whose gradient is above u_low, and largest across the edge
//         b_strong  the same with u_high
// Group grid        x words of 32 pixels, y 16 rows of the result; groups come in any order
// Shared bytes      up to 13696
// Source            J. Canny, A Computational Approach to Edge Detection, IEEE PAMI 8, 1986; directions and ties are OpenCV's
//
// @define CHANNELS  1|2|4     as stored
// @define SRC_DEPTH 8|16|32   bits of a channel
// @define SQUARED   0|1       the size of a gradient: the sum of its sides, or of their squares
// @define FETCHED   0|1       lib/texel.glsl
#include "lib/sync.glsl"
#include "lib/texel.glsl"

#define WIDE 32
#define TALL 16
#define GROUP 256
layout(local_size_x = GROUP) in;

layout(std430) writeonly buffer b_weak { uint weak[]; };
layout(std430) writeonly buffer b_strong { uint strong[]; };

#if SRC_DEPTH == 8
#define VALUE int
#else
#define VALUE float
#endif

uniform VALUE u_low;
uniform VALUE u_high;
uniform int u_above; // rows of i_src before the first of the result
uniform int u_rows;  // of the result
uniform int u_row_words;

#define COLOURS (CHANNELS == 4 ? 3 : 1)
#define HELD_WIDE (WIDE + 4)
#define HELD (HELD_WIDE * (TALL + 4))
#define FOUND_WIDE (WIDE + 2)
#define FOUND (FOUND_WIDE * (TALL + 2))

#if SRC_DEPTH == 8
#define PLANES 1 // the colours of a pixel share a word
#else
#define PLANES COLOURS
#endif
shared uint s_held[PLANES * HELD];
shared VALUE s_sizes[FOUND];
shared uint s_directions[FOUND];
shared uint s_weak[TALL];
shared uint s_strong[TALL];

// The word of a colour in s_held.
uint held_bits(uint bits) {
#if SRC_DEPTH == 16
    return floatBitsToUint(float(bits));
#else
    return bits;
#endif
}

void hold(int i, ivec2 corner) {
    ivec2 at = corner + ivec2(i % HELD_WIDE, i / HELD_WIDE) - 2;
    at = clamp(at, ivec2(0), u_size - 1);
    uvec4 texel = texel_at(ivec2(at.x / SRC_PIXELS, at.y));
    int lane = at.x % SRC_PIXELS * CHANNELS;
#if SRC_DEPTH == 8
    s_held[i] = CHANNELS == 4 ? texel[lane >> 2] : lane_bits(texel, lane);
#else
    for (int c = 0; c < COLOURS; ++c) {
        s_held[c * HELD + i] = held_bits(lane_bits(texel, lane + c));
    }
#endif
}

VALUE held(int c, int i) {
#if SRC_DEPTH == 8
    return int(bitfieldExtract(s_held[i], c * 8, 8));
#else
    return uintBitsToFloat(s_held[c * HELD + i]);
#endif
}

struct Gradient {
    VALUE x;
    VALUE y;
    VALUE size;
};

// Infinities and NaN count as 0.
VALUE size_of(VALUE x, VALUE y) {
#if SRC_DEPTH == 8
    return SQUARED == 1 ? x * x + y * y : abs(x) + abs(y);
#else
    precise float across = x * x;
    precise float down = y * y;
    precise float squares = across + down;
    precise float sides = abs(x) + abs(y);
    float size = SQUARED == 1 ? squares : sides;
    return (floatBitsToUint(size) & 0x7f800000u) == 0x7f800000u ? 0.0 : size;
#endif
}

// Of a line of three pixels, `i` is the middle one.
VALUE line_of(int c, int i, int step) {
#if SRC_DEPTH == 8
    return held(c, i - step) + 2 * held(c, i) + held(c, i + step);
#else
    precise float ends = held(c, i - step) + held(c, i + step);
    precise float twice = 2.0 * held(c, i);
    precise float sum = ends + twice;
    return sum;
#endif
}

VALUE less(VALUE a, VALUE b) {
    precise VALUE difference = a - b;
    return difference;
}

Gradient gradient_of(int i) {
    Gradient found = Gradient(VALUE(0), VALUE(0), VALUE(-1));
    for (int c = COLOURS - 1; c >= 0; --c) {
        VALUE x = less(line_of(c, i + 1, HELD_WIDE), line_of(c, i - 1, HELD_WIDE));
        VALUE y = less(line_of(c, i + HELD_WIDE, 1), line_of(c, i - HELD_WIDE, 1));
        VALUE size = size_of(x, y);
        if (size > found.size) {
            found = Gradient(x, y, size);
        }
    }
    return found;
}

// Where the edge is steepest: 0 along x, 1 along y, 2 down to the right, 3 down to the left. 13573 / 2^15 is tan(22.5 degrees).
uint direction_of(Gradient g) {
#if SRC_DEPTH == 8
    int across = abs(g.x) * 13573;
    int down = abs(g.y) << 15;
    bool is_flat = down < across;
    bool is_steep = down > across + (abs(g.x) << 16);
#else
    precise float across = abs(g.x) * (13573.0 / 32768.0);
    precise float twice = 2.0 * abs(g.x);
    precise float steep = across + twice;
    bool is_flat = abs(g.y) < across;
    bool is_steep = abs(g.y) > steep;
#endif
    return is_flat ? 0u : is_steep ? 1u : (g.x < VALUE(0)) != (g.y < VALUE(0)) ? 3u : 2u;
}

void find(int i, ivec2 corner) {
    ivec2 place = ivec2(i % FOUND_WIDE, i / FOUND_WIDE);
    ivec2 at = corner + place - 1;
    Gradient g = gradient_of((place.y + 1) * HELD_WIDE + place.x + 1);
    bool is_inside = at.x >= 0 && at.x < u_size.x && at.y >= 0 && at.y < u_size.y;
    s_sizes[i] = is_inside ? g.size : VALUE(0);
    s_directions[i] = direction_of(g);
}

// Of two equal neighbours along x or y the first is taken; along a diagonal neither.
bool is_largest(int i) {
    uint direction = s_directions[i];
    int step = direction == 0u ? 1 : direction == 1u ? FOUND_WIDE : direction == 2u ? FOUND_WIDE + 1 : FOUND_WIDE - 1;
    VALUE size = s_sizes[i];
    VALUE next = s_sizes[i + step];
    return size > s_sizes[i - step] && (direction < 2u ? size >= next : size > next);
}

void main() {
    int id = int(gl_LocalInvocationIndex);
    ivec2 corner = ivec2(gl_WorkGroupID.xy) * ivec2(WIDE, TALL) + ivec2(0, u_above); // in i_src
    if (id < TALL) {
        s_weak[id] = 0u;
        s_strong[id] = 0u;
    }
    for (int i = id; i < HELD; i += GROUP) {
        hold(i, corner);
    }
    wg_sync();
    for (int i = id; i < FOUND; i += GROUP) {
        find(i, corner);
    }
    wg_sync();
    for (int i = id; i < WIDE * TALL; i += GROUP) {
        int x = i % WIDE;
        int y = i / WIDE;
        int place = (y + 1) * FOUND_WIDE + x + 1;
        if (s_sizes[place] > u_low && is_largest(place)) {
            atomicOr(s_weak[y], 1u << x);
            if (s_sizes[place] > u_high) {
                atomicOr(s_strong[y], 1u << x);
            }
        }
    }
    wg_sync();
    int row = int(gl_WorkGroupID.y) * TALL + id;
    if (id < TALL && row < u_rows) {
        uint word = uint(row) * uint(u_row_words) + gl_WorkGroupID.x;
        weak[word] = s_weak[id];
        strong[word] = s_strong[id];
    }
}
