// What a prefix sum adds up. FLOAT 0: uint, for u32 and i32 alike, as both wrap modulo 2^32 and then are the
// same bits. FLOAT 1: float. VALUE(0) is the identity of either.
#if FLOAT == 1
#define VALUE float
#define VALUE4 vec4
#define VALUE_OF_BITS uintBitsToFloat
#define BITS_OF_VALUE floatBitsToUint
#else
#define VALUE uint
#define VALUE4 uvec4
#define VALUE_OF_BITS uint
#define BITS_OF_VALUE uint
#endif
