// Pixels that cannot be seen. Needs SRC_DEPTH.
#include "lib/float_bits.glsl"

// By the bits of alpha.
bool hides(uint alpha) {
    return (SRC_DEPTH == 32 ? without_denormal(alpha) << 1 : alpha) == 0u;
}
