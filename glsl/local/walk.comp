#version 430 core
// Of the codes in a square around each pixel: the mean, the standard deviation, the variance or the entropy, per channel. A last
// channel that is alpha stays as it is.
//
// An invocation goes down TALL rows of one channel of a column. It adds the codes of the row that enters the square, and subtracts
// the codes of the row that leaves it. Pixels of alpha 0 do not count. All sums are whole numbers. Deviations and variances are the
// exact value, rounded once, because whole numbers also decide between two codes.
//
// Reads   i_src    the image
//         b_terms  of entropies: n log2 n as a whole number of u_unit-ths, for each n up to the pixels of the square
// Writes  i_dst    the result, of the same format
// Group grid       x covers blocks of 32 / CHANNELS pixels, y blocks of TALL rows
// Shared bytes     128 * TALL; with ENTROPY 16384 more; groups come in any order
//
// @define BORDER    0|1|2|3|4   lib/border.glsl
// @define CHANNELS  1|2|4       as stored
// @define SRC_DEPTH 8|16|32     bits of a channel
// @define KEPT      0|1         whether the last channel stays
// @define HIDES     0|1         whether the last channel is alpha, where 0 hides a pixel
// @define ENTROPY   0|1
// @define FETCHED   0|1         lib/texel.glsl
// @skip CHANNELS=1 KEPT=1
// @skip CHANNELS=1 HIDES=1
// @skip KEPT=0 HIDES=1
// @skip SRC_DEPTH=32 ENTROPY=0
#define DST_DEPTH SRC_DEPTH
#include "lib/sync.glsl"
#include "lib/texel.glsl"
#include "lib/hidden.glsl"
#include "lib/put_lane.glsl"
#include "lib/reproducible.glsl"
#include "lib/code.glsl"
#include "lib/border.glsl"

layout(local_size_x = 32) in;

#define TALL 64
#define ACROSS (32 / CHANNELS)

layout(std430) readonly buffer b_terms { uint terms[]; };

layout(rgba32ui) writeonly uniform uimage2D i_dst;

uniform int u_radius;
uniform int u_measure; // 0 the standard deviation, 1 the variance, 2 the mean
uniform float u_unit;

shared uint s_results[32 * TALL];

uint counted = 0u;

#if ENTROPY == 1
#define BINS 256
shared uint s_counts[BINS / 2 * 32]; // of two bins a word, for each invocation

uint sum_of_terms = 0u;

// The bin of a code, or BINS for floats that lie in none.
uint bin_of(uint code) {
#if SRC_DEPTH == 8
    return code;
#elif SRC_DEPTH == 16
    return min(code * 256u / 65535u, 255u);
#else
    float value = float_of_bits(code);
    return value >= 0.0 && value <= 1.0 ? min(uint(value * 256.0), 255u) : uint(BINS);
#endif
}

void count(uint code, int by) {
    uint bin = bin_of(code);
    if (bin < uint(BINS)) {
        uint at = (bin >> 1) * 32u + gl_LocalInvocationIndex;
        uint shift = (bin & 1u) * 16u;
        uint before = s_counts[at] >> shift & 0xffffu;
        uint after = before + uint(by);
        s_counts[at] += uint(by) << shift;
        sum_of_terms += terms[after] - terms[before];
        counted += uint(by);
    }
}

void begin() {
    for (int i = 0; i < BINS / 2; ++i) {
        s_counts[i * 32 + int(gl_LocalInvocationIndex)] = 0u;
    }
}

// The entropy is log2 n minus the mean of log2 of each code's count, for n codes. 8 bits are the largest value.
uint found() {
    uint bits = terms[counted] - sum_of_terms;
    bits = int(bits) < 0 ? 0u : bits; // terms are rounded
    float most = product_of(float_of(counted), 8.0 * u_unit);
    float share = counted == 0u ? 0.0 : product_of(float_of(bits), reciprocal(most));
#if SRC_DEPTH == 32
    return floatBitsToUint(share);
#else
    return code_of(product_of(share, float(LARGEST_CODE)));
#endif
}
#else
uint sum = 0u;
uint squares_low = 0u; // the sum of squares, in 64 bits
uint squares_high = 0u;

void count(uint code, int by) {
    uint carry;
    counted += uint(by);
    sum += code * uint(by);
    if (by > 0) {
        squares_low = uaddCarry(squares_low, code * code, carry);
        squares_high += carry;
    } else {
        squares_low = usubBorrow(squares_low, code * code, carry);
        squares_high -= carry;
    }
}

void begin() {}

// Low and high words of whole numbers.
uvec2 product(uint a, uint b) {
    uvec2 result;
    umulExtended(a, b, result.y, result.x);
    return result;
}

uvec2 product(uvec2 a, uint b) {
    uvec2 result = product(a.x, b);
    return uvec2(result.x, result.y + a.y * b);
}

uvec2 doubled(uvec2 a) {
    return uvec2(a.x << 1, a.y << 1 | a.x >> 31);
}

bool is_larger(uvec2 a, uvec2 b) {
    return a.y > b.y || (a.y == b.y && a.x > b.x);
}

// With n codes and D = n x the sum of squares - the sum squared, the variance is D / n^2.
uint found() {
    uint n = max(counted, 1u);
    if (u_measure == 2) { // as a box
        return code_of(product_of(float_of(sum), reciprocal(float_of(n))));
    }
    uvec2 parts = product(uvec2(squares_low, squares_high), n);
    uvec2 square = product(sum, sum);
    uint borrow;
    parts.x = usubBorrow(parts.x, square.x, borrow);
    parts.y -= square.y + borrow;
    float deviation = sqrt(float(parts.y) * 4294967296.0 + float(parts.x)) / float(n);
    float guess = u_measure == 1 ? deviation * deviation / float(LARGEST_CODE) : deviation;
    uint code = uint(max(guess - 1.0, 0.0)); // too small by 2 at most
    for (int i = 0; i < 3; ++i) {
        // Halfway to the next code, in units in which that is odd: the value is even, so there are no ties.
        uint odd = 2u * code + 1u;
        uvec2 edge = u_measure == 1 ? product(product(n * n, uint(LARGEST_CODE)), odd) : product(odd * n, odd * n);
        uvec2 value = u_measure == 1 ? doubled(parts) : doubled(doubled(parts));
        code += uint(is_larger(value, edge));
    }
    return code;
}
#endif

// The texel of a pixel, and where its lanes begin.
uvec4 texel_of(int x, int y, out int first) {
    int column = border_index(x, u_size.x);
    int row = border_index(y, u_size.y);
    bool is_beyond = BORDER == 4 && (column < 0 || row < 0);
    first = is_beyond ? 0 : column % SRC_PIXELS * CHANNELS;
    return is_beyond ? u_border_texel : texel_at(ivec2(column / SRC_PIXELS, row));
}

void count_row(int x, int y, int channel, int by) {
    for (int dx = -u_radius; dx <= u_radius; ++dx) {
        int first;
        uvec4 texel = texel_of(x + dx, y, first);
#if HIDES == 1
        if (hides(lane_bits(texel, first + CHANNELS - 1))) {
            continue;
        }
#endif
        count(lane_bits(texel, first + channel), by);
    }
}

void walk(int x, int first, int channel) {
    begin();
    for (int y = first - u_radius; y < first + u_radius; ++y) {
        count_row(x, y, channel, 1);
    }
    for (int i = 0; i < TALL; ++i) {
        count_row(x, first + i + u_radius, channel, 1);
        s_results[32 * i + int(gl_LocalInvocationIndex)] = found();
        count_row(x, first + i - u_radius, channel, -1);
    }
}

void keep(int x, int first, int channel) {
    for (int i = 0; i < TALL; ++i) {
        int lane;
        uvec4 texel = texel_of(x, first + i, lane);
        s_results[32 * i + int(gl_LocalInvocationIndex)] = lane_bits(texel, lane + channel);
    }
}

// Texels beyond the image are dropped by the image unit.
void store(ivec2 first) {
    const int columns = ACROSS / SRC_PIXELS;
    for (int i = int(gl_LocalInvocationIndex); i < columns * TALL; i += 32) {
        ivec2 at = ivec2(i % columns, i / columns);
        uvec4 texel = uvec4(0u);
        for (int lane = 0; lane < SRC_LANES; ++lane) {
            put_lane(texel, lane, s_results[32 * at.y + at.x * SRC_LANES + lane]);
        }
        imageStore(i_dst, ivec2(first.x / SRC_PIXELS, first.y) + at, texel);
    }
}

void main() {
    ivec2 first = ivec2(gl_WorkGroupID.xy) * ivec2(ACROSS, TALL);
    int channel = int(gl_LocalInvocationIndex) % CHANNELS;
    int x = first.x + int(gl_LocalInvocationIndex) / CHANNELS;
    if (KEPT == 1 && channel == CHANNELS - 1) {
        keep(x, first.y, channel);
    } else {
        walk(x, first.y, channel);
    }
    wg_sync();
    store(first);
}
