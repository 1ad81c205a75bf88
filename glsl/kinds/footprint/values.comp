#version 430 core
// Every value of an array of one to four axes from others around it at given offsets: their weighted sum, or the one of a rank. Doubles
// are added in the order of the offsets, each operation rounded, so that the bits are the bits of SciPy's correlate and rank_filter.
//
// A rank is found bit by bit: the largest number than which no more neighbours are less than the rank says. It begins with the bits that
// all of them share. Up to COUNT neighbours stay in variables meanwhile. With COUNT 0 there are more, and each bit reads them again, as it
// does at the borders.
//
// Reads   b_src      the array, lib/volume.glsl
//         b_offsets  of each neighbour five numbers: how far away it lies in memory, and along each of four axes
//         b_weights  of each neighbour, of a sum; one that is not used otherwise
//         u_length   along each axis; 1 for those that there are not
//         u_before   how far neighbours reach before a value along each axis
//         u_after    and after it
// Writes  b_dst      an array of the same shape
// Group grid         one invocation for each RESULTS values
//
// @define SRC    U8|I8|U16|I16|U32|I32|U64|I64|F32|F64
// @define DST    U8|I8|U16|I16|U32|I32|I64|F32|F64
// @define DO     SUM|MINIMUM|MAXIMUM|RANK
// @define COUNT  0|9|27
#define SUM 0
#define MINIMUM 1
#define MAXIMUM 2
#define RANK 3
#define COLUMNS 1
#include "lib/volume.glsl"

layout(local_size_x = 64) in;

#include "lib/fold.glsl"
#include "lib/group.glsl"

layout(std430) readonly buffer b_offsets { int offsets[]; };
#if DO == SUM
layout(std430) readonly buffer b_weights { double weights[]; };
#endif
uniform uvec4 u_length;
uniform uvec4 u_before;
uniform uvec4 u_after;
uniform uvec4 u_constant; // its bits, in the first two
uniform int u_border;
uniform int u_neighbours;
uniform int u_results;
#if DO == RANK
uniform int u_rank;
#endif

#if DST <= I16
#define RESULTS 4
#else
#define RESULTS 1
#endif

// A result: its place, its index along each axis, and whether all neighbours lie within the array.
struct Middle {
    int at;
    ivec4 index;
    bool is_inside;
};

Middle middle_of(int result) {
    ivec4 length = ivec4(u_length);
    ivec4 index;
    index.w = result % length.w;
    int rest = result / length.w;
    index.z = rest % length.z;
    rest /= length.z;
    index.y = rest % length.y;
    index.x = rest / length.y;
    bool is_inside = all(greaterThanEqual(index, ivec4(u_before))) && all(lessThan(index + ivec4(u_after), length));
    return Middle(result, index, is_inside);
}

// Where a neighbour lies, or -1 for the constant.
int place_of(Middle middle, int neighbour) {
    int entry = 5 * neighbour;
    if (middle.is_inside)
        return middle.at + offsets[entry];
    int x = folded(middle.index.x + offsets[entry + 1], int(u_length.x), u_border);
    int y = folded(middle.index.y + offsets[entry + 2], int(u_length.y), u_border);
    int z = folded(middle.index.z + offsets[entry + 3], int(u_length.z), u_border);
    int w = folded(middle.index.w + offsets[entry + 4], int(u_length.w), u_border);
    return (x | y | z | w) < 0 ? -1 : ((x * int(u_length.y) + y) * int(u_length.z) + z) * int(u_length.w) + w;
}

double value_of(Middle middle, int neighbour) {
    int place = place_of(middle, neighbour);
    return place < 0 ? packDouble2x32(u_constant.xy) : value_at(place);
}

#if DO == SUM
double result_at(int result) {
    Middle middle = middle_of(result);
    precise double sum = packDouble2x32(u_constant.zw); // 0
    for (int i = 0; i < u_neighbours; ++i)
        sum = sum + weights[i] * value_of(middle, i);
    return sum;
}
#elif DO == MINIMUM || DO == MAXIMUM
double result_at(int result) {
    Middle middle = middle_of(result);
    precise double best = value_of(middle, 0); // Mesa would take the least of two zeros for either
    for (int i = 1; i < u_neighbours; ++i) {
        double value = value_of(middle, i);
#if DO == MINIMUM
        best = value < best ? value : best;
#else
        best = value > best ? value : best;
#endif
    }
    return best;
}
#else

// Unsigned integers in the order of the values.
#if SRC == F64 || SRC == U64 || SRC == I64
#define Key uvec2
const Key no_key = uvec2(0u);
const Key last_key = uvec2(0xffffffffu);

Key key_of(double value) {
    uvec2 bits = unpackDouble2x32(value);
    return (bits.y & 0x80000000u) != 0u ? ~bits : uvec2(bits.x, bits.y | 0x80000000u);
}

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
#else
#define Key uint
const Key no_key = 0u;
const Key last_key = 0xffffffffu;

Key key_of(double value) {
#if SRC == F32
    uint bits = float_of_double(value);
    return (bits & 0x80000000u) != 0u ? ~bits : bits | 0x80000000u;
#elif SRC == U8 || SRC == U16 || SRC == U32
    return uint(value);
#elif SRC == I8
    return uint(int(value) + 128);
#elif SRC == I16
    return uint(int(value) + 32768);
#else
    return uint(int(value)) ^ 0x80000000u;
#endif
}

double value_of_key(Key key) {
#if SRC == F32
    return double_of_float((key & 0x80000000u) != 0u ? key & 0x7fffffffu : ~key);
#elif SRC == U8 || SRC == U16 || SRC == U32
    return double(key);
#elif SRC == I8
    return double(int(key) - 128);
#elif SRC == I16
    return double(int(key) - 32768);
#else
    return double(int(key ^ 0x80000000u));
#endif
}

int highest_bit(Key key) { return findMSB(key); }
Key without_low(Key key, int bits) { return bits >= 32 ? no_key : key & 0xffffffffu << bits; }
bool is_less(Key a, Key b) { return a < b; }
Key with_bit(Key key, int bit) { return key | 1u << bit; }
#endif

Key key_at(int place) {
#if SRC == F32 // without a double between
    uint bits = place < 0 ? float_of_double(packDouble2x32(u_constant.xy)) : src[place];
    return (bits & 0x80000000u) != 0u ? ~bits : bits | 0x80000000u;
#else
    return key_of(place < 0 ? packDouble2x32(u_constant.xy) : value_at(place));
#endif
}

// Reads the neighbours for each bit.
Key found_in_memory(Middle middle) {
    Key first = key_at(place_of(middle, 0));
    Key differing = no_key;
    for (int i = 1; i < u_neighbours; ++i)
        differing |= key_at(place_of(middle, i)) ^ first;
    int highest = highest_bit(differing);
    Key found = without_low(first, highest + 1);
    for (int bit = highest; bit >= 0; --bit) {
        Key more = with_bit(found, bit);
        int less = 0;
        for (int i = 0; i < u_neighbours; ++i)
            less += int(is_less(key_at(place_of(middle, i)), more));
        if (less <= u_rank)
            found = more;
    }
    return found;
}

#if COUNT > 0
// The same for a result inside the array, whose neighbours stay in variables: loops of a fixed length and little in them, which
// compilers unroll.
Key found_in_variables(int at) {
    Key keys[COUNT];
    Key first = key_at(at + offsets[0]);
    Key differing = no_key;
    for (int i = 0; i < COUNT; ++i) {
        bool is_one = i < u_neighbours;
        Key key = key_at(at + offsets[is_one ? 5 * i : 0]);
        differing |= key ^ first;
        keys[i] = is_one ? key : last_key;
    }
    int highest = highest_bit(differing);
    Key found = without_low(first, highest + 1);
    for (int bit = highest; bit >= 0; --bit) {
        Key more = with_bit(found, bit);
        int less = 0;
        for (int i = 0; i < COUNT; ++i)
            less += int(is_less(keys[i], more));
        if (less <= u_rank)
            found = more;
    }
    return found;
}
#endif

double result_at(int result) {
    Middle middle = middle_of(result);
#if COUNT > 0
    return value_of_key(middle.is_inside ? found_in_variables(middle.at) : found_in_memory(middle));
#else
    return value_of_key(found_in_memory(middle));
#endif
}
#endif

void main() {
    int first = int(linear_invocation()) * RESULTS;
    if (first >= u_results)
        return;
#if RESULTS == 1
    store(first, result_at(first));
#else
    int last = u_results - 1; // the rest of a word is stored as well
    store_four(first, result_at(first), result_at(min(first + 1, last)), result_at(min(first + 2, last)), result_at(min(first + 3, last)),
               u_results);
#endif
}
