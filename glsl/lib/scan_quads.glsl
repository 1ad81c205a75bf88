// Values in quads of four, cut into tiles of GROUP * QUADS quads. Nothing is written beyond u_count. The last
// quad is read whole: what does not count in it comes after all that does, and so is in no sum that anyone
// uses.
#include "lib/scan_value.glsl"

layout(std430) readonly buffer b_in { VALUE4 in_quads[]; };
layout(std430) writeonly buffer b_out { VALUE4 out_quads[]; };
layout(std430) writeonly buffer b_out_words { VALUE out_words[]; }; // b_out again, for the last quad

uniform uint u_count;    // values

layout(local_size_x = GROUP) in;

#define TILE_QUADS uint(GROUP * QUADS)

// How many values there are from a quad on.
uint values_from(uint quad) {
    return u_count - min(4u * quad, u_count);
}

// Zero where no value counts.
VALUE4 load_quad(uint quad) {
    VALUE4 values = VALUE4(0);
    if (values_from(quad) > 0u) {
        values = in_quads[quad];
    }
    return values;
}

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
