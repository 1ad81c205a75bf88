#version 430 core
// Non-local means: each pixel becomes the mean of the pixels around it, weighted by how much the patches around both are alike.
//
// A group makes 32 x 8 pixels, and holds them with a margin in shared memory. For each offset it squares the differences between
// pixels that are so far apart, and adds them up down the patch and then across it, once for all pixels. Sums of codes of 8 bits are
// whole numbers; the others are added in one order everywhere. Beyond the image it is mirrored at its edge pixels.
//
// Reads   i_src   the image
// Writes  i_dst   the result; alpha is kept
// Group grid      x blocks of 32 pixels, y of 8; groups come in any order
// Shared bytes    up to 31104
// Source          A. Buades, B. Coll, J.-M. Morel, A Non-local Algorithm for Image Denoising, CVPR 2005; J. Darbon, A. Cunha,
//                 T. F. Chan, S. Osher, G. J. Jensen, Fast Nonlocal Filtering Applied to Electron Cryomicroscopy, ISBI 2008
//
// @define CHANNELS  1|2|4     as stored
// @define SRC_DEPTH 8|16|32   bits of a channel
// @define FETCHED   0|1       lib/texel.glsl
#define DST_DEPTH SRC_DEPTH
#include "lib/sync.glsl"
#include "lib/texel.glsl"
#include "lib/put_lane.glsl"
#include "lib/elementary.glsl"
#include "lib/code.glsl"

#define WIDE 32
#define TALL 8
#define GROUP 256
#define MARGIN 13 // the most that u_search and u_patch are together
layout(local_size_x = GROUP) in;

layout(rgba32ui) writeonly uniform uimage2D i_dst;

uniform int u_search; // offsets reach so far
uniform int u_patch;  // and patches; at most 3
uniform float u_free; // sums of squares up to this weigh 1
uniform float u_per_sum; // how fast weights fall beyond it, in powers of 2

#define COLOURS (CHANNELS == 4 ? 3 : 1)
#define HELD_WIDE (WIDE + 2 * MARGIN)
#define HELD (HELD_WIDE * (TALL + 2 * MARGIN))
#define MOST_SQUARES ((WIDE + 6) * (TALL + 6))
#define MOST_COLUMNS ((WIDE + 6) * TALL)

#if SRC_DEPTH == 8
#define VALUE int
#define PLANES 1 // the colours of a pixel share a word
#else
#define VALUE float
#define PLANES COLOURS
#endif
shared uint s_held[PLANES * HELD];
shared VALUE s_squares[MOST_SQUARES];
shared VALUE s_columns[MOST_COLUMNS];
shared uint s_codes[CHANNELS * GROUP];

int mirrored(int i, int n) {
    int period = max(2 * (n - 1), 1);
    int j = abs(i) % period;
    return min(j, period - j);
}

uvec4 source_texel(ivec2 at, out int lane) {
    lane = at.x % SRC_PIXELS * CHANNELS;
    return texel_at(ivec2(at.x / SRC_PIXELS, at.y));
}

void hold(int i, ivec2 corner) {
    ivec2 at = corner + ivec2(i % HELD_WIDE, i / HELD_WIDE) - MARGIN;
    int lane;
    uvec4 texel = source_texel(ivec2(mirrored(at.x, u_size.x), mirrored(at.y, u_size.y)), lane);
#if SRC_DEPTH == 8
    s_held[i] = CHANNELS == 4 ? texel[lane >> 2] : lane_bits(texel, lane);
#else
    for (int c = 0; c < COLOURS; ++c) {
        uint bits = lane_bits(texel, lane + c);
        s_held[c * HELD + i] = SRC_DEPTH == 16 ? floatBitsToUint(float(bits)) : bits;
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

VALUE sum_of(VALUE a, VALUE b) {
    precise VALUE sum = a + b;
    return sum;
}

// Over the colours.
VALUE squares_of(int i, int other) {
    VALUE sum = VALUE(0);
    for (int c = 0; c < COLOURS; ++c) {
        precise VALUE difference = held(c, i) - held(c, other);
        precise VALUE square = difference * difference;
        sum = sum_of(sum, square);
    }
    return sum;
}

// For all invocations at once: the sum over the patches around the invocation's pixel and the one at the offset.
VALUE patch_sum(int offset) {
    int id = int(gl_LocalInvocationIndex);
    int side = 2 * u_patch + 1;
    int wide = WIDE + 2 * u_patch;
    for (int i = id; i < wide * (TALL + 2 * u_patch); i += GROUP) {
        int y = i / wide;
        int place = (y + MARGIN - u_patch) * HELD_WIDE + i - y * wide + MARGIN - u_patch;
        s_squares[i] = squares_of(place, place + offset);
    }
    wg_sync();
    for (int i = id; i < wide * TALL; i += GROUP) {
        VALUE sum = VALUE(0);
        for (int k = 0; k < side; ++k) {
            sum = sum_of(sum, s_squares[i + k * wide]);
        }
        s_columns[i] = sum;
    }
    wg_sync();
    int first = id / WIDE * wide + id % WIDE;
    VALUE sum = VALUE(0);
    for (int k = 0; k < side; ++k) {
        sum = sum_of(sum, s_columns[first + k]);
    }
    return sum;
}

// Patches with values that are not finite weigh nothing.
float weight_of(float sum) {
    precise float beyond = max(sum - u_free, 0.0);
    bool is_finite = (floatBitsToUint(sum) & 0x7f800000u) != 0x7f800000u;
    return is_finite ? exp2_of(-product_of(beyond, u_per_sum)) : 0.0;
}

void store(ivec2 corner) {
    int id = int(gl_LocalInvocationIndex);
    const int across = WIDE / SRC_PIXELS; // texels
    if (id < across * TALL) {
        uvec4 texel = uvec4(0u);
        for (int lane = 0; lane < SRC_LANES; ++lane) {
            int pixel = id / across * WIDE + id % across * SRC_PIXELS + lane / CHANNELS;
            put_lane(texel, lane, s_codes[lane % CHANNELS * GROUP + pixel]);
        }
        imageStore(i_dst, ivec2(corner.x / SRC_PIXELS + id % across, corner.y + id / across), texel);
    }
}

void main() {
    int id = int(gl_LocalInvocationIndex);
    ivec2 corner = ivec2(gl_WorkGroupID.xy) * ivec2(WIDE, TALL);
    for (int i = id; i < HELD; i += GROUP) {
        hold(i, corner);
    }
    wg_sync();
    int own = (id / WIDE + MARGIN) * HELD_WIDE + id % WIDE + MARGIN;
    vec3 moves = vec3(0.0); // weight x (value - own value)
    float weights = 0.0;
    for (int dy = -u_search; dy <= u_search; ++dy) {
        for (int dx = -u_search; dx <= u_search; ++dx) {
            int offset = dy * HELD_WIDE + dx;
            float weight = weight_of(float(patch_sum(offset)));
            for (int c = 0; c < COLOURS && weight > 0.0; ++c) {
                precise float move = float(held(c, own + offset) - held(c, own));
                moves[c] = add_product(moves[c], weight, move);
            }
            precise float sum = weights + weight;
            weights = sum;
        }
    }
    float per_weight = weights > 0.0 ? reciprocal(weights) : 0.0;
    ivec2 at = corner + ivec2(id % WIDE, id / WIDE);
    int lane;
    uvec4 source = source_texel(min(at, u_size - 1), lane);
    for (int c = 0; c < CHANNELS; ++c) {
        uint bits = lane_bits(source, lane + c);
        if (c < COLOURS && weights > 0.0) {
            precise float value = float(held(c, own)) + product_of(moves[c], per_weight);
            bits = code_of(value);
        }
        s_codes[c * GROUP + id] = bits;
    }
    wg_sync();
    store(corner);
}
