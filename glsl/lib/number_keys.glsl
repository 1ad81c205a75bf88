// Numbers of the source as keys: unsigned integers in the order of the values. Integers of 64 bits count as the doubles that they
// become. Words are not made doubles where that can be helped, which takes NVIDIA's processors four times as long as an addition.
//
// Needs lib/volume.glsl. KEYS_ARE_WORDS: a key is a word of 32 bits, else it has two.
#if SRC == F64 || SRC == U64 || SRC == I64
#define KEYS_ARE_WORDS 0
#define Key uvec2
const Key no_key = uvec2(0u);
const Key last_key = uvec2(0xffffffffu);

Key key_of(double value) {
    uvec2 bits = unpackDouble2x32(value);
    return (bits.y & 0x80000000u) != 0u ? ~bits : uvec2(bits.x, bits.y | 0x80000000u);
}

Key key_at(int at) { return key_of(value_at(at)); }

double value_of_key(Key key) {
    return packDouble2x32((key.y & 0x80000000u) != 0u ? uvec2(key.x, key.y & 0x7fffffffu) : ~key);
}

int highest_bit(Key key) { return key.y != 0u ? 32 + findMSB(key.y) : findMSB(key.x); }

Key without_low(Key key, int bits) {
    return bits >= 64   ? no_key
           : bits >= 32 ? uvec2(0u, key.y & 0xffffffffu << (bits - 32))
                        : uvec2(key.x & 0xffffffffu << bits, key.y);
}

bool is_less(Key a, Key b) { return a.y < b.y || (a.y == b.y && a.x < b.x); }

Key with_bit(Key key, int bit) {
    uint one = 1u << (bit & 31);
    return bit < 32 ? uvec2(key.x | one, key.y) : uvec2(key.x, key.y | one);
}

void exchange(inout Key a, inout Key b) {
    bool swaps = is_less(b, a);
    Key low = swaps ? b : a;
    b = swaps ? a : b;
    a = low;
}
#else
#define KEYS_ARE_WORDS 1
#define Key uint
const Key no_key = 0u;
const Key last_key = 0xffffffffu;

// Of an unsigned integer, of a signed one, or of the bits of a float.
Key key_of_bits(uint bits) {
#if SRC == F32
    return (bits & 0x80000000u) != 0u ? ~bits : bits | 0x80000000u;
#elif SRC == U8 || SRC == U16 || SRC == U32
    return bits;
#else
    return bits ^ 0x80000000u;
#endif
}

uint bits_of_key(Key key) {
#if SRC == F32
    return (key & 0x80000000u) != 0u ? key & 0x7fffffffu : ~key;
#elif SRC == U8 || SRC == U16 || SRC == U32
    return key;
#else
    return key ^ 0x80000000u;
#endif
}

Key key_at(int at) {
    uint word = src[SRC_PLACE(at)];
#if SRC == U16
    word = bitfieldExtract(word, (at & 1) * 16, 16);
#elif SRC == I16
    word = uint(bitfieldExtract(int(word), (at & 1) * 16, 16));
#elif SRC == U8
    word = bitfieldExtract(word, (at & 3) * 8, 8);
#elif SRC == I8
    word = uint(bitfieldExtract(int(word), (at & 3) * 8, 8));
#endif
    return key_of_bits(word);
}

Key key_of(double value) {
#if SRC == F32
    return key_of_bits(float_of_double(value));
#elif SRC == U8 || SRC == U16 || SRC == U32
    return key_of_bits(uint(value));
#else
    return key_of_bits(uint(int(value)));
#endif
}

double value_of_key(Key key) {
#if SRC == F32
    return double_of_float(bits_of_key(key));
#elif SRC == U8 || SRC == U16 || SRC == U32
    return double(bits_of_key(key));
#else
    return double(int(bits_of_key(key)));
#endif
}

int highest_bit(Key key) { return findMSB(key); }
Key without_low(Key key, int bits) { return bits >= 32 ? no_key : key & 0xffffffffu << bits; }
bool is_less(Key a, Key b) { return a < b; }
Key with_bit(Key key, int bit) { return key | 1u << bit; }

void exchange(inout Key a, inout Key b) {
    Key low = min(a, b);
    b = max(a, b);
    a = low;
}
#endif
