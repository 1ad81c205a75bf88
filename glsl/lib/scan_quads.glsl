// Values in quads of four, cut into tiles of GROUP * QUADS quads. What lies beyond u_count counts as zero and is never
// written.
#include "lib/scan_value.glsl"

layout(std430) readonly buffer b_in { VALUE4 in_quads[]; };
layout(std430) writeonly buffer b_out { VALUE4 out_quads[]; };
layout(std430) writeonly buffer b_out_words { VALUE out_words[]; }; // b_out again, for the last quad

uniform uint u_count;    // values

layout(local_size_x = GROUP) in;

#define TILE_QUADS uint(GROUP * QUADS)

uint values_from(uint quad) {
    return u_count - min(4u * quad, u_count);
}

VALUE4 load_quad(uint quad) {
    uint left = values_from(quad);
    VALUE4 loaded = VALUE4(0);
    if (left > 0u) {
        loaded = in_quads[quad]; // in the last one there may be values that do not count
    }
    return VALUE4(loaded.x, left > 1u ? loaded.y : VALUE(0), left > 2u ? loaded.z : VALUE(0),
                  left > 3u ? loaded.w : VALUE(0));
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
