// Non-local means: how much a patch counts, and what becomes of the sums over patches.
//
// Needs SRC_DEPTH.
#include "lib/elementary.glsl"

// 2^-x for 0 <= x, and at least 2^-126: exp2_of() without what only other exponents need. Adding 1.5 x 2^23 rounds to a whole number,
// which is then in the last bits.
float falling(float x) {
    precise float moved = 12582912.0 - min(x, 126.0);
    precise float whole = moved - 12582912.0;
    precise float f = -min(x, 126.0) - whole;
    precise float mantissa = mantissa_of(f);
    return uintBitsToFloat(floatBitsToUint(mantissa) + (floatBitsToUint(moved) << 23));
}

// Patches with values that are not finite weigh nothing.
float patch_weight(float sum, float free, float per_sum) {
    precise float beyond = max(sum - free, 0.0);
    bool is_finite = (floatBitsToUint(sum) & 0x7f800000u) != 0x7f800000u;
    return SRC_DEPTH == 8 || is_finite ? falling(product_of(beyond, per_sum)) : 0.0;
}

// A value with the mean of the differences from it.
float moved_value(float own, float move, float weights) {
    precise float value = own + product_of(move, reciprocal(weights));
    return value;
}
