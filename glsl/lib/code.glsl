// A channel value as it is stored. Needs DST_DEPTH (8, 16 or 32).

// Rounds once, to nearest even.
uint code_of(float value) {
#if DST_DEPTH == 8 || DST_DEPTH == 16
    // From 2^23 on a float has no bits for fractions left: the addition rounds, and its last bits are the code.
    return floatBitsToUint(clamp(value, 0.0, float((1 << DST_DEPTH) - 1)) + 8388608.0) & ((1u << DST_DEPTH) - 1u);
#else
    uint bits = floatBitsToUint(value);
    return (bits & 0x7fffffffu) > 0x7f800000u ? 0x7fc00000u : bits; // drivers have NaNs of their own
#endif
}
