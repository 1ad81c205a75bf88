// Values in quads of four, cut into tiles of GROUP * QUADS quads. Nothing is written beyond u_count. The last quad is
// read whole: its surplus values come after all that count, and so are in no sum that anyone uses.
//
// BLOCKS 1: the quads lie in the texels of images, i_in and i_out (lib/blocks.glsl), and the last is also written whole.
#include "lib/scan_value.glsl"

#ifndef BLOCKS
#define BLOCKS 0
#endif
#if BLOCKS == 1
#include "lib/blocks.glsl"

layout(rgba32ui) readonly uniform uimage2D i_in;
layout(rgba32ui) writeonly uniform uimage2D i_out;
#else
layout(std430) readonly buffer b_in { VALUE4 in_quads[]; };
layout(std430) writeonly buffer b_out { VALUE4 out_quads[]; };
layout(std430) writeonly buffer b_out_words { VALUE out_words[]; }; // b_out again, for the last quad
#endif

uniform uint u_count;    // values

layout(local_size_x = GROUP) in;

#define TILE_QUADS uint(GROUP * QUADS)

// How many values there are, beginning with the first of a quad.
uint values_from(uint quad) {
    return u_count - min(4u * quad, u_count);
}

VALUE4 quad_in(uint quad) {
#if BLOCKS == 1
    uvec4 bits = imageLoad(i_in, texel_of_quad(quad));
    return VALUE4(VALUE_OF_BITS(bits.x), VALUE_OF_BITS(bits.y), VALUE_OF_BITS(bits.z), VALUE_OF_BITS(bits.w));
#else
    return in_quads[quad];
#endif
}

// Zero where no value counts.
VALUE4 load_quad(uint quad) {
    VALUE4 values = VALUE4(0);
    if (values_from(quad) > 0u) {
        values = quad_in(quad);
    }
    return values;
}

#if BLOCKS == 1
void store_quad(uint quad, VALUE4 values) {
    if (values_from(quad) > 0u) {
        imageStore(i_out, texel_of_quad(quad), uvec4(BITS_OF_VALUE(values.x), BITS_OF_VALUE(values.y),
                                                     BITS_OF_VALUE(values.z), BITS_OF_VALUE(values.w)));
    }
}
#else
void store_quad(uint quad, VALUE4 values) {
    uint left = values_from(quad);
    if (left > 3u) {
        out_quads[quad] = values;
    }
    uint rest = left > 3u ? 0u : left;
    for (uint i = 0u; i < rest; ++i) {
        out_words[4u * quad + i] = values[i];
    }
}
#endif
