#version 430 core
// A window: every pixel of the result is a function of whole pixels around it, up to u_reach to each side.
//
// OPERATION is a file with `vec4 window()`: a pixel of the result in code units (0 to 255, 0 to 65535, or floats as they are).
// It has these:
//   pixel(dx, dy)  the pixel (dx, dy) from the middle: its channels as stored; those that it lacks, and a kept alpha, are 0
//   cover(pixel)   what each channel counts for, as a COUNT: alpha for colours that are weighted by it, otherwise 1
//   shown(pixel)   the pixel, colours that are weighted by alpha multiplied by it and rounded to a code
//   u_reach        how far it may look along x and y
//   table_at(i)    value i of a table; pair_at(i) as two floats whose sum it is
//   param(i)       its parameters
//
// A group loads all pixels that a block of WIDE x TALL sees into shared memory; with HELD 0 they are read where they are needed.
//
// Reads   i_src     the image
//         b_table   the table, or one value that is not used
//         u_params  the parameters
// Writes  i_dst     the result, of the same format
// Group grid        one group for each block
// Shared bytes      4 * (HELD + TABLE) + 4 * WORDS * WIDE * TALL, with COLUMN 4 * WIDE * TALL + 7172 more; groups come in any order
//
// @define OPERATION window                a file of this kind
// @define BORDER    0|1|2|3|4             lib/border.glsl
// @define CHANNELS  1|2|4                 as stored
// @define SRC_DEPTH 8|16|32               bits of a channel
// @define ALPHA     0|1|2                 lib/pixel.glsl
// @define ROWS      1|4                   that an invocation computes; 2, too
// @define COLUMN    0|1                   whether they are computed all at once, if OPERATION has HAS_COLUMNS
// @define PADDED    0|1                   whether s_table, filled up with 0, has an entry for all that is looked up
// @define HELD      0|4096                words of shared memory for pixels; also 2048, 7168 and 11264
// @define TABLE     0|1280                values of the table in shared memory; with 0 lookups are slow, and to be avoided
// @define FETCHED   0|1                   lib/texel.glsl
// @skip CHANNELS=1 ALPHA=1
// @skip CHANNELS=1 ALPHA=2
// @skip HELD=0 ROWS=4
// @skip HELD=0 COLUMN=1
// @skip ROWS=1 COLUMN=1
// @skip TABLE=0 PADDED=1
// @skip COLUMN=0 PADDED=1
// @skip SRC_DEPTH=32 COLUMN=1
#define DST_DEPTH SRC_DEPTH
#include "lib/sync.glsl"
#include "lib/pixel.glsl"
#include "lib/border.glsl"

layout(local_size_x = 32, local_size_y = 8) in;

#define WIDE 32
#define TALL (8 * ROWS)
#define GROUP 256
#define PIXEL_BITS (CHANNELS * SRC_DEPTH)
#define WORDS ((PIXEL_BITS + 31) / 32)

layout(std430) readonly buffer b_table { vec2 table[]; };

uniform ivec2 u_reach;
uniform int u_table_size;
uniform float u_params[8];

#define PLANE (HELD / WORDS) // words of a pixel lie so far apart
#if HELD > 0
shared uint s_pixels[HELD];
#endif
shared uint s_results[WIDE * TALL * WORDS];
#if TABLE > 0
shared float s_table[TABLE];
#endif

#if COLUMN == 1
shared int s_unsure[WIDE * TALL]; // results that doubles decide
shared int s_unsure_count;
#endif

ivec2 middle = ivec2(0); // the pixel that is computed, in the image; with HELD in what is held

float param(int i) {
    return u_params[i];
}

vec2 pair_at(int i) {
    return table[i];
}

float table_at(int i) {
#if TABLE > 0
    return s_table[i];
#else
    return pair_at(i).x;
#endif
}

// Pixel p of a texel.
uvec4 bits_of(uvec4 texel, int p) {
#if PIXEL_BITS == 128
    return texel;
#elif PIXEL_BITS == 64
    return uvec4(p == 0 ? texel.xy : texel.zw, 0u, 0u);
#else
    int bit = p * PIXEL_BITS;
    return uvec4(texel[bit >> 5] >> (bit & 31), 0u, 0u, 0u);
#endif
}

// The pixel of the image, or the border's where there is none.
uvec4 bits_at(ivec2 at) {
    int x = border_index(at.x, u_size.x);
    int y = border_index(at.y, u_size.y);
    bool is_beyond = BORDER == 4 && (x < 0 || y < 0);
    uvec4 texel = texel_at(ivec2(x / SRC_PIXELS, y));
    return bits_of(is_beyond ? u_border_texel : texel, is_beyond ? 0 : x % SRC_PIXELS);
}

int held_columns() {
    return WIDE + 2 * u_reach.x;
}

uvec4 bits_near(int dx, int dy) {
#if HELD > 0
    int at = (middle.y + dy) * held_columns() + middle.x + dx;
    uvec4 bits = uvec4(0u);
    for (int w = 0; w < WORDS; ++w) {
        bits[w] = s_pixels[w * PLANE + at];
    }
    return bits;
#else
    return bits_at(middle + ivec2(dx, dy));
#endif
}

vec4 pixel(int dx, int dy) {
    uvec4 bits = bits_near(dx, dy);
    vec4 values = vec4(0.0);
    for (int c = 0; c < (ALPHA == 2 ? CHANNELS - 1 : CHANNELS); ++c) {
        values[c] = lane_value(bits, c);
    }
    return values;
}

#include "lib/shown.glsl"

// `values` as the result at `at` of the block; the pixel there is `below` the middle.
void put_result(ivec2 at, int below, vec4 values) {
    uvec4 own = bits_near(0, below);
    uvec4 bits = uvec4(0u);
    for (int c = 0; c < CHANNELS; ++c) {
        if (ALPHA == 2 && c == CHANNELS - 1) {
            put_lane(bits, c, lane_bits(own, c));
        } else {
            put_code(bits, c, values[c]);
        }
    }
    for (int w = 0; w < WORDS; ++w) {
        s_results[(at.y * WIDE + at.x) * WORDS + w] = bits[w];
    }
}

#include OPERATION

#ifndef HAS_COLUMNS
#undef COLUMN
#define COLUMN 0
#endif

void load_table() {
#if TABLE > 0
    for (int i = int(gl_LocalInvocationIndex); i < TABLE; i += GROUP) {
        s_table[i] = i < u_table_size ? table[i].x : 0.0;
    }
#endif
}

// From the pixel `first` of the image on.
void load_pixels(ivec2 first) {
#if HELD > 0
    int columns = held_columns();
    int count = columns * (TALL + 2 * u_reach.y);
    for (int i = int(gl_LocalInvocationIndex); i < count; i += GROUP) {
        int row = int(uint(i) / uint(columns));
        uvec4 bits = bits_at(first + ivec2(i - row * columns, row));
        for (int w = 0; w < WORDS; ++w) {
            s_pixels[w * PLANE + i] = bits[w];
        }
    }
#endif
}

// Texels beyond the image are dropped by the image unit.
void store_block(ivec2 first) {
    const int columns = WIDE / SRC_PIXELS;
    for (int i = int(gl_LocalInvocationIndex); i < columns * TALL; i += GROUP) {
        ivec2 at = ivec2(i % columns, i / columns);
        uvec4 texel = uvec4(0u);
        for (int p = 0; p < SRC_PIXELS; ++p) {
            for (int w = 0; w < WORDS; ++w) {
                int bit = p * PIXEL_BITS + 32 * w;
                texel[bit >> 5] |= s_results[(at.y * WIDE + at.x * SRC_PIXELS + p) * WORDS + w] << (bit & 31);
            }
        }
        imageStore(i_dst, ivec2(first.x / SRC_PIXELS, first.y) + at, texel);
    }
}

#if COLUMN == 1
void main() {
    ivec2 first = ivec2(gl_WorkGroupID.xy) * ivec2(WIDE, TALL);
    if (gl_LocalInvocationIndex == 0u) {
        s_unsure_count = 0;
    }
    load_table();
    load_pixels(first - u_reach);
    wg_sync();
    ivec2 at = ivec2(gl_LocalInvocationID.xy) * ivec2(1, ROWS);
    middle = at + u_reach;
    compute_column(at);
    wg_sync();
    decide();
    wg_sync();
    store_block(first);
}
#else
void main() {
    ivec2 first = ivec2(gl_WorkGroupID.xy) * ivec2(WIDE, TALL);
    load_table();
    load_pixels(first - u_reach);
    wg_sync();
    for (int row = 0; row < ROWS; ++row) {
        ivec2 at = ivec2(gl_LocalInvocationID.xy) + ivec2(0, 8 * row);
        middle = at + (HELD > 0 ? u_reach : first);
        put_result(at, 0, window());
    }
    wg_sync();
    store_block(first);
}
#endif
