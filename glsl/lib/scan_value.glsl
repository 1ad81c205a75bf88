// The values that a prefix sum adds up. FLOAT 0: uint, for u32 and i32 alike, as both wrap modulo 2^32 and then are the
// same bits. FLOAT 1: float. VALUE(0) is the identity of either. VALUE_LANES 2 or 4, defined before this is included: a
// vector of so many of them, whose type is SCALAR.
#ifndef VALUE_LANES
#define VALUE_LANES 1
#endif

#if FLOAT == 1
#define SCALAR float
#define VALUE4 vec4
#define VALUE_OF_BITS uintBitsToFloat
#define BITS_OF_VALUE floatBitsToUint
#else
#define SCALAR uint
#define VALUE4 uvec4
#define VALUE_OF_BITS uint
#define BITS_OF_VALUE uint
#endif

#if VALUE_LANES == 4
#define VALUE VALUE4
#elif VALUE_LANES == 2 && FLOAT == 1
#define VALUE vec2
#elif VALUE_LANES == 2
#define VALUE uvec2
#else
#define VALUE SCALAR
#endif
