// A step of a sum whose weights may be any numbers.
//
// Needs SRC_DEPTH, and EXACT, 1 where products are exact floats.
#include "lib/reproducible.glsl"

// Taps of weight 0 let no NaN through.
float add_weighted(float sum, float weight, float value) {
#if EXACT == 1
    return add_whole_product(sum, weight, value);
#elif SRC_DEPTH == 32
    return weight == 0.0 ? sum : add_product(sum, weight, value);
#else
    return add_product(sum, weight, value);
#endif
}
