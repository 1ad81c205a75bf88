// Declarations that the kernels of the integral image share. A column is a lane of the image's rows, stored channels
// included.
//
// Needs all that lib/texel.glsl needs, FLOAT, and lib/scan_value.glsl with VALUE_LANES CHANNELS.
#include "lib/texel.glsl"

layout(std430) writeonly buffer b_sums { SCALAR sums[]; };

uniform uint u_shift;     // words before u_first_row in the part of the buffer that is bound
uniform int u_first_row;  // of the result, the first that is written
uniform int u_end_row;    // after the last
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

VALUE value_of(VALUE4 four) {
#if CHANNELS == 1
    return four.x;
#elif CHANNELS == 2
    return four.xy;
#else
    return four;
#endif
}

uint word_of(int row, int x) {
    return u_shift + uint(row - u_first_row) * u_row_words + uint(x * u_channels);
}

// Stores the zero of a channel at the left of a row.
void store_zero(int row, int channel) {
    if (u_pad == 1 && channel < u_channels && row >= u_first_row && row < u_end_row) {
        sums[word_of(row, 0) + uint(channel)] = SCALAR(0);
    }
}
