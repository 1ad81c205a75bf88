#version 430 core
// Of the values of many images at one place: their mean, their sum, the least, the largest, or the one of some rank.
// The images lie side by side in one texture, in rows of u_columns.
//
// An invocation has the lanes of a texel. Between two ranks the result is low + share x (high - low) in doubles, or
// high - share x (high - low); see src/glproc/ops/stack/combine.cpp. Ranks are found bit by bit, beginning with the
// highest: how many values lie below decides the next.
//
// Reads   i_src   the images
// Writes  i_dst   the result: floats if the measure is 1, else values as they come
// Group grid      covers the texels of an image
// Shared memory   none; invocations are independent, groups come in any order
//
// @define SRC_DEPTH 8|16|32   bits of a value
// @define MEASURE   0|1|2|3   mean; sum; least, or largest with u_flip; rank
// @define FETCHED   0|1       lib/texel.glsl
// @skip SRC_DEPTH=32 MEASURE=0
// @skip SRC_DEPTH=32 MEASURE=1
#define CHANNELS 1 // which one a lane is makes no difference
#define DST_DEPTH (MEASURE == 1 ? 32 : SRC_DEPTH)
#include "lib/texel.glsl"
#include "lib/long_sums.glsl"

layout(local_size_x = 16, local_size_y = 8) in;

layout(rgba32ui) writeonly uniform uimage2D i_dst;

uniform int u_images;
uniform int u_columns;
uniform ivec2 u_texels; // of an image
#if MEASURE == 1
uniform uvec4 u_scale; // a double: what a sum is multiplied by
#elif MEASURE == 2
uniform uint u_flip; // all bits set: the largest
#elif MEASURE == 3
uniform int u_rank;
uniform int u_next;    // 1: between this rank and the next
uniform uvec4 u_share; // a double, then 1 if it counts from the upper end
#endif

#define LANES (32 / SRC_DEPTH) // of a word
#if SRC_DEPTH == 32
#define MASK 0xffffffffu
#else
#define MASK ((1u << SRC_DEPTH) - 1u)
#endif

uvec4 texel_of(int image, ivec2 at) {
    return texel_at(ivec2(image % u_columns, image / u_columns) * u_texels + at);
}

// Lane i of each word.
uvec4 lanes_of(uvec4 texel, int i) {
    return texel >> uint(i * SRC_DEPTH % 32) & MASK;
}

uvec4 chosen(uvec4 no, uvec4 yes, bvec4 which) {
    uvec4 mask = 0u - uvec4(which);
    return (no & ~mask) | (yes & mask);
}

bvec4 are_missing(uvec4 bits) {
    return SRC_DEPTH == 32 ? greaterThan(bits & 0x7fffffffu, uvec4(0x7f800000u)) : bvec4(false);
}

// Values in the order of these numbers, from the bits that are stored. Both zeros are equal.
uvec4 ordered(uvec4 bits) {
#if SRC_DEPTH == 32
    uvec4 order = bits ^ (uvec4(ivec4(bits) >> 31) | 0x80000000u);
    return chosen(order, uvec4(0x80000000u), equal(bits, uvec4(0x80000000u)));
#else
    return bits;
#endif
}

#if MEASURE < 2
void find(out uvec4 sums[LANES], ivec2 at) {
    for (int i = 0; i < LANES; ++i) {
        sums[i] = uvec4(0u);
    }
    for (int k = 0; k < u_images; ++k) {
        uvec4 texel = texel_of(k, at);
        for (int i = 0; i < LANES; ++i) {
            sums[i] += lanes_of(texel, i);
        }
    }
}
#endif

#if MEASURE == 0
// Half to even.
uvec4 result_of(uvec4 sums) {
    uint images = uint(u_images);
    uvec4 whole = sums / images;
    uvec4 twice = 2u * (sums - whole * images);
    for (int w = 0; w < 4; ++w) {
        whole[w] += uint(twice[w] > images || (twice[w] == images && (whole[w] & 1u) == 1u));
    }
    return whole;
}
#elif MEASURE == 1
// Whole numbers of 30 bits, divided by 255 or 65535, lie so far from the middle between two floats that the double may
// be a little off.
uvec4 result_of(uvec4 sums) {
    uvec4 result;
    for (int w = 0; w < 4; ++w) {
        precise double scaled = double(sums[w]) * packDouble2x32(u_scale.xy);
        result[w] = floatBitsToUint(float(scaled));
    }
    return result;
}
#elif MEASURE == 2
// The first of several that are equal. NaN comes before all.
void find(out uvec4 found[LANES], ivec2 at) {
    uvec4 least[LANES];
    for (int i = 0; i < LANES; ++i) {
        found[i] = uvec4(0u);
        least[i] = uvec4(0xffffffffu);
    }
    for (int k = 0; k < u_images; ++k) {
        uvec4 texel = texel_of(k, at);
        for (int i = 0; i < LANES; ++i) {
            uvec4 bits = lanes_of(texel, i);
            uvec4 order = chosen(ordered(bits) ^ u_flip, uvec4(0u), are_missing(bits));
            bvec4 are_less = lessThan(order, least[i]);
            found[i] = chosen(found[i], bits, are_less);
            least[i] = chosen(least[i], order, are_less);
        }
    }
}

uvec4 result_of(uvec4 found) {
    return chosen(found, found | 0x400000u, are_missing(found)); // quiet, as a processor's
}
#else
// The values of a rank, in order: where as many values lie below a limit, it is no smaller.
void find_rank(out uvec4 low[LANES], ivec2 at) {
    for (int i = 0; i < LANES; ++i) {
        low[i] = uvec4(0u);
    }
    for (uint bit = 1u << (SRC_DEPTH - 1); bit != 0u; bit >>= 1) {
        uvec4 below[LANES];
        for (int i = 0; i < LANES; ++i) {
            below[i] = uvec4(0u);
        }
        for (int k = 0; k < u_images; ++k) {
            uvec4 texel = texel_of(k, at);
            for (int i = 0; i < LANES; ++i) {
                below[i] += uvec4(lessThan(ordered(lanes_of(texel, i)), low[i] | bit));
            }
        }
        for (int i = 0; i < LANES; ++i) {
            low[i] |= bit * uvec4(lessThanEqual(below[i], uvec4(u_rank)));
        }
    }
}

#if SRC_DEPTH == 32
void find(out uvec4 found[LANES], ivec2 at) {
    find_rank(found, at);
    bvec4 missing = bvec4(false);
    for (int k = 0; k < u_images; ++k) {
        missing = bvec4(uvec4(missing) | uvec4(are_missing(texel_of(k, at))));
    }
    uvec4 bits = found[0] ^ (~uvec4(ivec4(found[0]) >> 31) | 0x80000000u);
    found[0] = chosen(bits, uvec4(0x7fc00000u), missing);
}
#else
uint between(uint low, uint high) {
    precise double step = double(high - low) * packDouble2x32(u_share.xy);
    precise double value = u_share.z == 1u ? double(high) - step : double(low) + step;
    return uint(nearest_code(unpackDouble2x32(value)));
}

// The code of the next rank is the least above `low`, or `low` itself.
uvec4 up_to_next(uvec4 low, int i, ivec2 at) {
    uvec4 next = uvec4(0xffffffffu);
    uvec4 count = uvec4(0u);
    for (int k = 0; k < u_images; ++k) {
        uvec4 code = lanes_of(texel_of(k, at), i);
        bvec4 are_above = greaterThan(code, low);
        count += uvec4(not(are_above));
        next = min(next, chosen(uvec4(0xffffffffu), code, are_above));
    }
    uvec4 high = chosen(next, low, greaterThan(count, uvec4(u_rank + 1)));
    return uvec4(between(low.x, high.x), between(low.y, high.y), between(low.z, high.z), between(low.w, high.w));
}

void find(out uvec4 found[LANES], ivec2 at) {
    find_rank(found, at);
    for (int i = 0; i < LANES && u_next == 1; ++i) {
        found[i] = up_to_next(found[i], i, at);
    }
}
#endif

uvec4 result_of(uvec4 found) {
    return found;
}
#endif

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, u_texels))) {
        return;
    }
    uvec4 found[LANES];
    find(found, at);
    for (int i = 0; i < LANES; ++i) {
        found[i] = result_of(found[i]);
    }
#if MEASURE == 1
    for (int t = 0; t < LANES; ++t) { // texels of the result; those beyond it are dropped by the image unit
        uvec4 texel;
        for (int v = 0; v < 4; ++v) {
            texel[v] = found[v % LANES][(4 * t + v) / LANES];
        }
        imageStore(i_dst, ivec2(at.x * LANES + t, at.y), texel);
    }
#else
    uvec4 texel = uvec4(0u);
    for (int i = 0; i < LANES; ++i) {
        texel |= found[i] << uint(i * SRC_DEPTH % 32);
    }
    imageStore(i_dst, at, texel);
#endif
}
