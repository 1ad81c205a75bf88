// Arrays of numbers of any type in storage buffers. All arithmetic on them is in doubles. Results are
// cast to the type as C casts them on x86-64, also where C leaves that open. A value that no integer of 32 or 64 bits can hold
// becomes the lowest one. Smaller types take its low bits. Wants SRC and DST, the types.
//
// Types of 8 and 16 bits lie several to a word. So that no two invocations write one word, a kernel works on COLUMNS values
// that lie side by side, a Lane: `load(at)` and `store(at, lane)`. `at` is a multiple of COLUMNS. With COLUMNS 1 defined before,
// a kernel has `value_at` and `store_four` instead.
//
// NVIDIA's compiler rounds a local array of doubles to floats where `precise` is involved (580.159.04): there is none here.
// Subnormal floats are made of integers, because drivers may take them for 0.
#define U8 0
#define I8 1
#define U16 2
#define I16 3
#define U32 4
#define I32 5
#define U64 6
#define I64 7
#define F32 8
#define F64 9

#ifndef COLUMNS
#if SRC <= I8 || DST <= I8
#define COLUMNS 4
#elif SRC <= I16 || DST <= I16
#define COLUMNS 2
#else
#define COLUMNS 1
#endif
#endif
#if COLUMNS == 4
#define Lane dvec4
#elif COLUMNS == 2
#define Lane dvec2
#else
#define Lane double
#endif

#if SRC == F64
#define SRC_WORD double
#elif SRC == U64 || SRC == I64
#define SRC_WORD uvec2
#else
#define SRC_WORD uint
#endif
#if DST == F64
#define DST_WORD double
#elif DST == U64 || DST == I64
#define DST_WORD uvec2
#else
#define DST_WORD uint
#endif
layout(std430) readonly buffer b_src { SRC_WORD src[]; };
layout(std430) writeonly buffer b_dst { DST_WORD dst[]; };

// 2^exponent: NVIDIA's compiler does not read every decimal as the nearest double (580.159.04).
double power_of_two(int exponent) {
    return packDouble2x32(uvec2(0u, uint(exponent + 1023) << 20));
}

double double_of_float(uint bits) {
    if ((bits & 0x7f800000u) != 0u)
        return double(uintBitsToFloat(bits));
    uvec2 small = unpackDouble2x32(double(bits & 0x7fffffu) * power_of_two(-149));
    return packDouble2x32(uvec2(small.x, small.y | (bits & 0x80000000u)));
}

uint float_of_double(double value) {
    uint high = unpackDouble2x32(value).y;
    if ((high >> 20 & 0x7ffu) >= 897u)
        return floatBitsToUint(float(value));
    precise double steps = abs(value) * power_of_two(149); // of the smallest float
    precise double whole = (steps + 4503599627370496.0LF) - 4503599627370496.0LF;
    return uint(whole) | (high & 0x80000000u);
}

double double_of_long(uvec2 word, bool is_signed) {
    precise double high = (is_signed ? double(int(word.y)) : double(word.y)) * 4294967296.0LF;
    precise double both = high + double(word.x);
    return both;
}

// Towards 0, modulo 2^64. |value| is below 2^63.
uvec2 whole_words(double value) {
    double size = trunc(abs(value));
    uint high = uint(size * power_of_two(-32));
    precise double low = size - double(high) * 4294967296.0LF;
    uvec2 words = uvec2(uint(low), high);
    if (value < 0.0LF) {
        words = ~words;
        words.x += 1u;
        words.y += uint(words.x == 0u);
    }
    return words;
}

uvec2 long_of_double(double value) {
    return abs(value) < 9223372036854775808.0LF ? whole_words(value) : uvec2(0u, 0x80000000u);
}

uvec2 unsigned_long_of_double(double value) {
    bool is_large = value >= 9223372036854775808.0LF;
    uvec2 words = long_of_double(is_large ? value - 9223372036854775808.0LF : value);
    return uvec2(words.x, words.y ^ (is_large ? 0x80000000u : 0u));
}

uint int_of_double(double value) {
    return value > -2147483649.0LF && value < 2147483648.0LF ? uint(int(value)) : 0x80000000u;
}

#if SRC <= I8
#define SRC_PLACE(at) ((at) >> 2)
#elif SRC <= I16
#define SRC_PLACE(at) ((at) >> 1)
#else
#define SRC_PLACE(at) (at)
#endif

// Value `at` of the source, from the word src[SRC_PLACE(at)].
double value_in(SRC_WORD word, int at) {
#if SRC == F64
    return word;
#elif SRC == U64
    return double_of_long(word, false);
#elif SRC == I64
    return double_of_long(word, true);
#elif SRC == F32
    return double_of_float(word);
#elif SRC == U32
    return double(word);
#elif SRC == I32
    return double(int(word));
#elif SRC == U16
    return double(bitfieldExtract(word, (at & 1) * 16, 16));
#elif SRC == I16
    return double(bitfieldExtract(int(word), (at & 1) * 16, 16));
#elif SRC == U8
    return double(bitfieldExtract(word, (at & 3) * 8, 8));
#else
    return double(bitfieldExtract(int(word), (at & 3) * 8, 8));
#endif
}

double value_at(int at) {
    return value_in(src[SRC_PLACE(at)], at);
}

// As many as a Lane has, from a multiple of that.
Lane load(int at) {
#if COLUMNS == 1
    return value_at(at);
#elif COLUMNS == 2
    return dvec2(value_at(at), value_at(at + 1));
#else
    return dvec4(value_at(at), value_at(at + 1), value_at(at + 2), value_at(at + 3));
#endif
}

#if DST <= I16
uint code_of(double value) {
    return int_of_double(value) & (DST <= I8 ? 0xffu : 0xffffu);
}
#else
DST_WORD word_of(double value) {
#if DST == F64
    return value;
#elif DST == F32
    return float_of_double(value);
#elif DST == U64
    return unsigned_long_of_double(value);
#elif DST == I64
    return long_of_double(value);
#elif DST == U32
    return long_of_double(value).x;
#else
    return int_of_double(value);
#endif
}
#endif

// Four values from `at`, a multiple of 4; nothing is stored at `end` or above, but for the rest of a word.
void store_four(int at, double a, double b, double c, double d, int end) {
#if DST <= I8
    if (at < end)
        dst[at >> 2] = code_of(a) | code_of(b) << 8 | code_of(c) << 16 | code_of(d) << 24;
#elif DST <= I16
    if (at < end)
        dst[at >> 1] = code_of(a) | code_of(b) << 16;
    if (at + 2 < end)
        dst[(at >> 1) + 1] = code_of(c) | code_of(d) << 16;
#else
    if (at < end)
        dst[at] = word_of(a);
    if (at + 1 < end)
        dst[at + 1] = word_of(b);
    if (at + 2 < end)
        dst[at + 2] = word_of(c);
    if (at + 3 < end)
        dst[at + 3] = word_of(d);
#endif
}

#if COLUMNS == 4
void store(int at, Lane lane) {
    store_four(at, lane.x, lane.y, lane.z, lane.w, at + 4);
}
#elif COLUMNS == 2
void store(int at, Lane lane) {
#if DST <= I16
    dst[at >> 1] = code_of(lane.x) | code_of(lane.y) << 16;
#else
    dst[at] = word_of(lane.x);
    dst[at + 1] = word_of(lane.y);
#endif
}
#elif DST > I16
void store(int at, Lane lane) {
    dst[at] = word_of(lane);
}
#endif
