// What the kernels of the integral image share. A unit is the 16 lanes of an invocation, whole texels; a column
// is a lane of the image's rows, stored channels included.
//
// Needs what lib/texel.glsl needs, FLOAT, and lib/scan_value.glsl with VALUE_LANES CHANNELS.
#include "lib/texel.glsl"
#define UNIT_LANES 16
#define UNIT_TEXELS (UNIT_LANES / SRC_LANES)

layout(std430) writeonly buffer b_sums { SCALAR sums[]; };

uniform uint u_shift;     // words before u_first_row in the part of the buffer that is bound
uniform int u_first_row;  // of the result, the first that is written
uniform int u_end_row;    // behind the last
uniform uint u_row_words; // of the result
uniform int u_channels;   // of the result: 3 where 4 are stored for RGB
uniform int u_pad;        // 1: a row of zeros above, a column of zeros at the left

SCALAR lane_number(uvec4 texel, int lane) {
#if FLOAT == 1
    return uintBitsToFloat(texel[lane]);
#else
    return lane_bits(texel, lane);
#endif
}

// 0 where the image has no such texel.
void load_unit(int unit, int y, out SCALAR lanes[UNIT_LANES]) {
    for (int t = 0; t < UNIT_TEXELS; ++t) {
        uvec4 texel = imageLoad(i_src, ivec2(unit * UNIT_TEXELS + t, y));
        for (int lane = 0; lane < SRC_LANES; ++lane) {
            lanes[t * SRC_LANES + lane] = lane_number(texel, lane);
        }
    }
}

// Turns lanes into running sums of their channel; returns the sum of each.
VALUE sum_up_unit(inout SCALAR lanes[UNIT_LANES]) {
    for (int lane = CHANNELS; lane < UNIT_LANES; ++lane) {
        lanes[lane] += lanes[lane - CHANNELS];
    }
#if CHANNELS == 1
    return lanes[15];
#elif CHANNELS == 2
    return VALUE(lanes[14], lanes[15]);
#else
    return VALUE(lanes[12], lanes[13], lanes[14], lanes[15]);
#endif
}

SCALAR part_of(VALUE value, int lane) {
#if CHANNELS == 1
    return value;
#else
    return value[lane % CHANNELS];
#endif
}

uint word_of(int row, int x) {
    return u_shift + uint(row - u_first_row) * u_row_words + uint(x * u_channels);
}

void store_sum(int column, int row, SCALAR sum) {
    int x = column / CHANNELS;
    int channel = column % CHANNELS;
    if (x < u_size.x && channel < u_channels && row >= u_first_row && row < u_end_row) {
        sums[word_of(row, x + u_pad) + uint(channel)] = sum;
    }
}

// The zeros at the left of a row. For all invocations of a group.
void store_zeros(int row) {
    int channel = int(gl_LocalInvocationIndex);
    if (u_pad == 1 && channel < u_channels && row >= u_first_row && row < u_end_row) {
        sums[word_of(row, 0) + uint(channel)] = SCALAR(0);
    }
}
