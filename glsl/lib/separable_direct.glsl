// One axis of a separable filter without shared memory: each invocation sums the neighbours of one unit.
#include "lib/pixel.glsl"
#include "lib/border.glsl"
#include "lib/separable.glsl"

uniform int u_reach;   // the radius along this axis
uniform float u_scale; // multiplies the sums before they are stored
uniform int u_first_row; // of this dispatch: long work comes in several

layout(local_size_x = 16, local_size_y = 16) in;

#if AXIS == 0
#define REACH ((u_reach + UNIT_PIXELS - 1) / UNIT_PIXELS)
#define PART PART_UNITS

// SRC_TEXELS is 1 here: what rows are written to is at least as deep as the image.
// Of the units that a pixel of this one can reach, those `first` to `last` units to the right.
void sum_part(int unit, int y, int first, int last, inout float sums[UNIT_LANES]) {
    for (int u = first; u <= last; ++u) {
        uvec4 texels[SRC_TEXELS] = uvec4[](bordered_texel(unit + u, y));
        float values[UNIT_LANES];
        unpack_unit(texels, values);
        premultiply(values);
        accumulate_unit(AXIS, u * UNIT_PIXELS, values, sums);
    }
}
#else
#define REACH u_reach
#define PART PART_PIXELS

// The rows `first` to `last` below this one.
void sum_part(int unit, int y, int first, int last, inout float sums[UNIT_LANES]) {
    for (int d = first; d <= last; ++d) {
        int row = border_index(y + d, u_size.y);
        float weight = tap(AXIS, d);
        uvec4 texels[SRC_TEXELS];
        for (int t = 0; t < SRC_TEXELS; ++t) {
            texels[t] = row < 0 ? u_border_texel : imageLoad(i_src, ivec2(unit * SRC_TEXELS + t, row));
        }
        float values[UNIT_LANES];
        unpack_unit(texels, values);
        for (int lane = 0; lane < UNIT_LANES; ++lane) {
            sums[lane] += channel_tap(lane % CHANNELS, d, weight) * values[lane];
        }
    }
}
#endif

void separable_direct() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy) + ivec2(0, u_first_row);
    float sums[UNIT_LANES];
    float excess[UNIT_LANES];
    clear(sums);
    clear(excess);
    for (int first = -REACH; first <= REACH; first += PART) {
        float part[UNIT_LANES];
        clear(part);
        sum_part(at.x, at.y, first, min(first + PART - 1, REACH), part);
        add_part(part, sums, excess);
    }
    for (int lane = 0; lane < UNIT_LANES; ++lane) {
        sums[lane] *= channel_tap(lane % CHANNELS, 0, u_scale);
    }
#if AXIS == 1
    unpremultiply(sums);
#endif
    store_unit(at.x, at.y, sums);
}
