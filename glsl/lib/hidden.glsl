// Pixels that cannot be seen. Needs SRC_DEPTH.
#include "lib/float_bits.glsl"

// A colour weighted by alpha. Beneath alpha 0 there may be anything, NaN, too.
float weighted_colour(float colour, float alpha) {
    precise float product = colour * alpha;
    return SRC_DEPTH == 32 && alpha == 0.0 ? 0.0 : product;
}

// By the bits of alpha.
bool hides(uint alpha) {
    return (SRC_DEPTH == 32 ? without_denormal(alpha) << 1 : alpha) == 0u;
}
