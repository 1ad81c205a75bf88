#version 430 core
// Every value of an array of one to four axes from others around it at given offsets: their weighted sum, or the one of a rank. Doubles
// are added in the order of the offsets, each operation rounded, so that the bits are the bits of SciPy's correlate and rank_filter.
//
// For a rank, up to COUNT neighbours are sorted by exchanges; with MIDDLE 1 there are as many, and the one in the middle is wanted. With
// COUNT 0 there are more, or some are farther away than the array is long: their rank is found bit by bit.
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
// @define COUNT  0|9|25|27
// @define MIDDLE 0|1
// @skip COUNT=0 MIDDLE=1
// @skip DO=SUM MIDDLE=1
// @skip DO=MINIMUM MIDDLE=1
// @skip DO=MAXIMUM MIDDLE=1
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
uniform int u_results;
#if MIDDLE == 0
uniform int u_neighbours;
#if DO == RANK
uniform int u_rank;
#endif
#endif

#if DST <= I8
#define BITS 8
#elif DST <= I16
#define BITS 16
#else
#define BITS 32
#endif
#define RESULTS (32 / BITS) // that share a word

// A result: its place, its index along each axis, and whether all neighbours lie within the array.
struct Middle {
    int at;
    ivec4 index;
    bool is_inside;
};

Middle middle_of(int result) {
    ivec4 length = ivec4(u_length);
    uint row = uint(result) / u_length.w;
    ivec4 index = ivec4(0, 0, int(row), result - int(row * u_length.w));
    if (u_length.x * u_length.y > 1u) { // divisions take as long as a sort of nine
        uint plane = row / u_length.z;
        index.z = int(row - plane * u_length.z);
        index.x = int(plane / u_length.y);
        index.y = int(plane) - index.x * length.y;
    }
    bool is_inside = all(greaterThanEqual(index, ivec4(u_before))) && all(lessThan(index + ivec4(u_after), length));
    return Middle(result, index, is_inside);
}

int place_of_index(int x, int y, int z, int w) {
    return (x | y | z | w) < 0 ? -1 : ((x * int(u_length.y) + y) * int(u_length.z) + z) * int(u_length.w) + w;
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
    return place_of_index(x, y, z, w);
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

#include "lib/exchanges.glsl"
#include "lib/number_keys.glsl"

Key key_in(int place) { return place < 0 ? key_of(packDouble2x32(u_constant.xy)) : key_at(place); }

#if COUNT == 0
// Reads the neighbours for each bit: the largest number than which no more neighbours are less than the rank says. It begins with
// the bits that all of them share.
Key found(int result) {
    Middle middle = middle_of(result);
    Key first = key_in(place_of(middle, 0));
    Key differing = no_key;
    for (int i = 1; i < u_neighbours; ++i)
        differing |= key_in(place_of(middle, i)) ^ first;
    int highest = highest_bit(differing);
    Key found = without_low(first, highest + 1);
    for (int bit = highest; bit >= 0; --bit) {
        Key more = with_bit(found, bit);
        int less = 0;
        for (int i = 0; i < u_neighbours; ++i)
            less += int(is_less(key_in(place_of(middle, i)), more));
        if (less <= u_rank)
            found = more;
    }
    return found;
}
#else
uniform int u_near[COUNT]; // how far away each neighbour lies in memory

// An index beyond the ends of a line, at most the line's length away, becomes low or high + turn * index.
struct Turn {
    ivec4 low;
    ivec4 high;
    int turn;
};

Turn turn_of_border() {
    ivec4 length = ivec4(u_length);
    if (u_border == 2)
        return Turn(ivec4(-1), 2 * length - 1, -1);
    if (u_border == 1)
        return Turn(ivec4(0), 2 * length - 2, -1);
    if (u_border == 3)
        return Turn(length, -length, 1);
    return u_border == 0 ? Turn(ivec4(0), length - 1, 0) : Turn(ivec4(-1), ivec4(-1), 0);
}

int turned(int index, uint length, int low, int high, int turn) {
    return index < 0 ? low + turn * index : index >= int(length) ? high + turn * index : index;
}

int place_near(Middle middle, int neighbour, Turn border) {
    int entry = 5 * neighbour;
    int x = turned(middle.index.x + offsets[entry + 1], u_length.x, border.low.x, border.high.x, border.turn);
    int y = turned(middle.index.y + offsets[entry + 2], u_length.y, border.low.y, border.high.y, border.turn);
    int z = turned(middle.index.z + offsets[entry + 3], u_length.z, border.low.z, border.high.z, border.turn);
    int w = turned(middle.index.w + offsets[entry + 4], u_length.w, border.low.w, border.high.w, border.turn);
    return place_of_index(x, y, z, w);
}

#define EVERY_KEY(M)                                                                                                           \
    M(0) M(1) M(2) M(3) M(4) M(5) M(6) M(7) M(8) M(9) M(10) M(11) M(12) M(13) M(14) M(15) M(16) M(17) M(18) M(19) M(20) M(21)  \
    M(22) M(23) M(24) M(25) M(26)
#if MIDDLE == 1
#define IS_KEY(i) (i < COUNT)
#else
#define IS_KEY(i) (i < COUNT && i < u_neighbours)
#endif
#define LOAD_INSIDE(i)                                                                                                         \
    if (IS_KEY(i))                                                                                                             \
        keys[i] = key_at(middle.at + u_near[i < COUNT ? i : 0]);
#define LOAD_ANYWHERE(i)                                                                                                       \
    if (IS_KEY(i))                                                                                                             \
        keys[i] = key_in(place_near(middle, i, border));
#define SET_LAST(i) keys[i] = last_key;
#define EXCHANGE(a, b)                                                                                                         \
    if (b < COUNT)                                                                                                             \
        exchange(keys[a], keys[b]);
#define TAKE(i) found = i == u_rank ? keys[i] : found;

// Sorts the neighbours in variables. No index of theirs is computed, so that compilers find one for each.
Key found(int result) {
    Middle middle = middle_of(result);
    Key keys[27];
    EVERY_KEY(SET_LAST)
    if (middle.is_inside) {
        EVERY_KEY(LOAD_INSIDE)
    } else {
        Turn border = turn_of_border();
        EVERY_KEY(LOAD_ANYWHERE)
    }
    EXCHANGES(EXCHANGE)
#if MIDDLE == 1
    return keys[COUNT / 2];
#else
    Key found = keys[0];
    EVERY_KEY(TAKE)
    return found;
#endif
}
#endif

double result_at(int result) { return value_of_key(found(result)); }
#endif

// As it is stored.
DST_WORD word_at(int result) {
#if DO == RANK && SRC == DST && KEYS_ARE_WORDS == 1
    return bits_of_key(found(result)) & (0xffffffffu >> (32 - BITS));
#elif DST <= I16
    return code_of(result_at(result));
#else
    return word_of(result_at(result));
#endif
}

void main() {
    int first = int(linear_invocation()) * RESULTS;
    if (first >= u_results)
        return;
#if RESULTS == 1
    dst[first] = word_at(first);
#else
    uint word = 0u;
    int count = min(u_results - first, RESULTS);
    for (int i = 0; i < count; ++i)
        word |= word_at(first + i) << (i * BITS);
    dst[first / RESULTS] = word;
#endif
}
