#version 430 core
// JPEG, last kernel of the decoder: upsamples the chroma, converts to RGB, and stores the picture upright as the texels
// that operations read.
//
// All of it is in whole numbers, as libjpeg does it. Smooth upsampling ("fancy", jdsample.c) weighs the two nearest
// samples 3 : 1 along each axis, rounds up and down in turn, and repeats the first and the last. Where a component is
// not halved, or has two columns at most, samples are repeated.
//
// Of a fraction of the picture, blocks have fewer samples, and the same rules hold between those.
//
// Reads   b_tables   decode.glsl
//         b_samples  as decode_idct.comp wrote them
// Writes  i_dst      the upright picture: RGBX of 8 bits, or grey
// Group grid         x covers the texels of a row, y the rows
// Shared bytes       none
// Source             ITU T.871 (JFIF), 7
//
// @define GREY 0|1     one component
// @define SCALED 0|1   a fraction of the picture; its blocks may have fewer samples than 8 x 8
uniform uint u_picture;
#define PICTURE u_picture
#include "jpeg/decode.glsl"

layout(local_size_x = 32, local_size_y = 4) in;

layout(std430) readonly buffer b_samples { uint samples[]; };
layout(rgba32ui) writeonly uniform uimage2D i_dst;

uniform ivec2 u_size;      // of the upright picture
uniform int u_orientation; // 1 to 8, as in EXIF

#define SMOOTH_ACROSS 1u
#define SMOOTH_DOWN 2u
#define SMOOTH_BOTH 3u
#define REPEAT 4u

// Samples across a block, as a power of 2.
int size_of(uint component) {
    return SCALED == 1 ? int(fact_of(component, PART_SIZE)) : 3;
}

uint row_words(uint component) {
    return fact_of(component, PART_ACROSS) << (size_of(component) == 3 ? 1 : 0);
}

// Samples of a word, likewise.
int word_size(uint component) {
    return min(size_of(component), 2);
}

int sample_at(uint component, int x, int y) {
    int size = word_size(component);
    uint word = samples[fact_of(component, PART_SAMPLES) + uint(y) * row_words(component) + uint(x >> size)];
    return int(bitfieldExtract(word, (x & ((1 << size) - 1)) * 8, 8));
}

// The four samples that begin at x, a multiple of 4.
ivec4 samples_at(uint component, ivec2 at, ivec2 last) {
    if (word_size(component) < 2) {
        ivec4 values;
        for (int k = 0; k < 4; ++k) {
            values[k] = sample_at(component, min(at.x + k, last.x), at.y);
        }
        return values;
    }
    uint word = samples[fact_of(component, PART_SAMPLES) + uint(at.y) * row_words(component) + (uint(at.x) >> 2)];
    return ivec4(word & 255u, (word >> 8) & 255u, (word >> 16) & 255u, word >> 24);
}

ivec4 repeated(uint component, ivec2 at, ivec2 last) {
    uint repeats = fact(FACT_REPEATS) >> (component * 8u);
    int across = int(repeats & 15u);
    int down = int((repeats >> 4) & 15u);
    ivec4 values;
    for (int k = 0; k < 4; ++k) {
        values[k] = sample_at(component, min((at.x + k) / across, last.x), at.y / down);
    }
    return values;
}

// The row of samples that the row of pixels is nearest to, and the one behind it.
ivec2 rows_near(int y, int last) {
    int nearest = y >> 1;
    return ivec2(nearest, clamp((y & 1) != 0 ? nearest + 1 : nearest - 1, 0, last));
}

ivec4 smooth_down(uint component, ivec2 at, ivec2 last) {
    ivec2 rows = rows_near(at.y, last.y);
    ivec4 values;
    for (int k = 0; k < 4; ++k) {
        int x = min(at.x + k, last.x);
        values[k] = (3 * sample_at(component, x, rows.x) + sample_at(component, x, rows.y) + 1 + (at.y & 1)) >> 2;
    }
    return values;
}

// Interpolates four pixels between samples of these values: 3 : 1 across.
ivec4 between(ivec4 near) {
    return 3 * near.yyzz + near.xzyw;
}

// The four samples around the four pixels that begin at x. They lie in two words at most.
ivec4 near_at(uint component, int x, int y, int last) {
    ivec4 columns = clamp(ivec4(x >> 1) + ivec4(-1, 0, 1, 2), 0, last);
    int size = word_size(component);
    ivec4 near;
    if (size < 2) {
        for (int k = 0; k < 4; ++k) {
            near[k] = sample_at(component, columns[k], y);
        }
        return near;
    }
    uint row = fact_of(component, PART_SAMPLES) + uint(y) * row_words(component);
    ivec4 places = columns >> 2;
    uint first = samples[row + uint(places.x)];
    uint second = samples[row + uint(places.w)];
    for (int k = 0; k < 4; ++k) {
        near[k] = int(bitfieldExtract(places[k] == places.x ? first : second, (columns[k] & 3) * 8, 8));
    }
    return near;
}

ivec4 smooth_across(uint component, ivec2 at, ivec2 last) {
    return (between(near_at(component, at.x, at.y, last.x)) + ivec4(1, 2, 1, 2)) >> 2;
}

ivec4 smooth_both(uint component, ivec2 at, ivec2 last) {
    ivec2 rows = rows_near(at.y, last.y);
    ivec4 near = 3 * near_at(component, at.x, rows.x, last.x) + near_at(component, at.x, rows.y, last.x);
    return (between(near) + ivec4(8, 7, 8, 7)) >> 4;
}

// Four pixels of a row as stored, beginning at a multiple of 4.
ivec4 component_at(uint component, ivec2 at) {
    uint upsampling = (fact(FACT_UPSAMPLING) >> (component * 4u)) & 15u;
    ivec2 last = ivec2(fact_of(component, PART_WIDTH), fact_of(component, PART_HEIGHT)) - 1;
    switch (upsampling) {
    case SMOOTH_ACROSS:
        return smooth_across(component, at, last);
    case SMOOTH_DOWN:
        return smooth_down(component, at, last);
    case SMOOTH_BOTH:
        return smooth_both(component, at, last);
    case REPEAT:
        return repeated(component, at, last);
    default:
        return samples_at(component, at, last);
    }
}

uvec4 pixels_at(ivec2 at) {
    ivec4 red = component_at(0u, at);
    ivec4 green = component_at(1u, at);
    ivec4 blue = component_at(2u, at);
    if (fact(FACT_COLOUR) == 1u) {
        ivec4 cb = green - 128;
        ivec4 cr = blue - 128;
        ivec4 luma = red;
        red = clamp(luma + ((91881 * cr + 32768) >> 16), 0, 255);
        green = clamp(luma + ((-22554 * cb - 46802 * cr + 32768) >> 16), 0, 255);
        blue = clamp(luma + ((116130 * cb + 32768) >> 16), 0, 255);
    }
    return uvec4(red | green << 8 | blue << 16) | 0xff000000u;
}

// Where a pixel of the upright picture is stored.
ivec2 stored_at(ivec2 at) {
    ivec2 last = ivec2(fact(FACT_WIDTH), fact(FACT_HEIGHT)) - 1;
    ivec2 from = u_orientation >= 5 ? at.yx : at;
    bool is_mirrored = u_orientation == 2 || u_orientation == 3 || u_orientation == 7 || u_orientation == 8;
    bool is_overhead = u_orientation == 3 || u_orientation == 4 || u_orientation == 6 || u_orientation == 7;
    from = clamp(from, ivec2(0), last); // pixels behind the end of a row
    return ivec2(is_mirrored ? last.x - from.x : from.x, is_overhead ? last.y - from.y : from.y);
}

#if GREY == 1
uint grey_word(ivec2 at) {
    if (u_orientation == 1 && word_size(0u) == 2) {
        uint word = min(uint(at.x) >> 2, row_words(0u) - 1u);
        return samples[fact_of(0u, PART_SAMPLES) + uint(at.y) * row_words(0u) + word];
    }
    uint word = 0u;
    for (int k = 0; k < 4; ++k) {
        ivec2 from = stored_at(ivec2(at.x + k, at.y));
        word |= uint(sample_at(0u, from.x, from.y)) << (8 * k);
    }
    return word;
}
#endif

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
#if GREY == 1
    ivec2 at = ivec2(texel.x * 16, texel.y);
    if (at.x < u_size.x && at.y < u_size.y) {
        uvec4 words;
        for (int k = 0; k < 4; ++k) {
            words[k] = grey_word(ivec2(at.x + 4 * k, at.y));
        }
        imageStore(i_dst, texel, words);
    }
#else
    ivec2 at = ivec2(texel.x * 4, texel.y);
    if (at.x >= u_size.x || at.y >= u_size.y) {
        return;
    }
    if (u_orientation == 1) {
        imageStore(i_dst, texel, pixels_at(at));
        return;
    }
    uvec4 pixels;
    for (int k = 0; k < 4; ++k) {
        ivec2 from = stored_at(ivec2(at.x + k, at.y));
        pixels[k] = pixels_at(ivec2(from.x & ~3, from.y))[from.x & 3];
    }
    imageStore(i_dst, texel, pixels);
#endif
}
