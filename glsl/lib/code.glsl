// A channel value as it is stored. Needs DST_DEPTH (8, 16 or 32); with IN_RANGE 1 the caller has clamped what is stored
// as codes to 0 to LARGEST_CODE.
#include "lib/float_bits.glsl"

#ifndef IN_RANGE
#define IN_RANGE 0
#endif
#if DST_DEPTH < 32
#define LARGEST_CODE ((1 << DST_DEPTH) - 1)

// The code in the last bits, and other bits before them. Above 2^23 a float has no bits for fractions left: the
// addition rounds, to nearest even.
uint rounded_bits(float value) {
#if IN_RANGE == 0
    value = clamp(value, 0.0, float(LARGEST_CODE));
#endif
    return floatBitsToUint(value + 8388608.0);
}
#endif

// Rounds once, to nearest even.
uint code_of(float value) {
#if DST_DEPTH < 32
    return rounded_bits(value) & uint(LARGEST_CODE);
#else
    uint bits = floatBitsToUint(value);
    return (bits & 0x7fffffffu) > 0x7f800000u ? 0x7fc00000u : without_denormal(bits); // drivers have NaNs of their own
#endif
}

// Stores it in a lane of a texel, which must be 0 so far. In a word the bits before the code are shifted out, except in
// its first lane.
void put_code(inout uvec4 texel, int lane, float value) {
#if DST_DEPTH == 8
    texel[lane >> 2] |= (lane & 3) == 0 ? code_of(value) : rounded_bits(value) << ((lane & 3) * 8);
#elif DST_DEPTH == 16
    texel[lane >> 1] |= (lane & 1) == 0 ? code_of(value) : rounded_bits(value) << 16;
#else
    texel[lane] = code_of(value);
#endif
}
