// The distance that a square stands for, as the bits of a float: rounded to nearest, infinite where there is no site.
//
// Needs WIDE and METRIC, see lib/squares.glsl.
#include "lib/whole_root.glsl"

#if WIDE == 1
#define SQUARE uvec2
#else
#define SQUARE uint
#endif

float distance_of(SQUARE square) {
#if WIDE == 1
    return root_of_whole(square);
#elif METRIC == 0
    return root_of_whole(uvec2(square, 0u));
#else
    return float(square >> 8) * 256.0 + float(square & 255u); // rounded once, in the sum
#endif
}

uint distance_bits(SQUARE square) {
    bool is_none = square == SQUARE(0xffffffffu);
    return is_none ? 0x7f800000u : floatBitsToUint(distance_of(is_none ? SQUARE(0u) : square));
}
