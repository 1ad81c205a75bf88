#version 430 core
// Every value of an array from neighbours along one axis: weighted sums, or the least or largest of them. In doubles, each
// operation rounded, in the order in which SciPy's correlate1d and minimum_filter1d do them, so that the bits are SciPy's.
//
// An invocation makes RESULTS results in a row of each of its COLUMNS lines. It walks along the weights with the values that
// the results need in variables; a step to the next weight loads one more.
//
// Reads   b_src      the array, lib/volume.glsl
//         b_weights  the weights; one that is not used for extremes
//         u_reach    how far the neighbours reach before and after the value, the origin included
// Writes  b_dst      an array of the same shape
// Group grid         one invocation for each lane and RESULTS values
//
// @define SRC    U8|I8|U16|I16|U32|I32|U64|I64|F32|F64
// @define DST    U8|I8|U16|I16|U32|I32|U64|I64|F32|F64
// @define ALONG  0|1        lib/line.glsl
// @define DO     SUM|EVEN|ODD|MINIMUM|MAXIMUM  EVEN and ODD are sums by symmetric and antisymmetric weights
#define SUM 0
#define EVEN 1
#define ODD 2
#define MINIMUM 3
#define MAXIMUM 4
#if ALONG == 1
#define COLUMNS 1
#endif
#include "lib/volume.glsl"

layout(local_size_x = 64) in;

#include "lib/group.glsl"
#include "lib/line.glsl"

layout(std430) readonly buffer b_weights { double weights[]; };
uniform ivec2 u_reach;
uniform int u_origin;
uniform int u_units;

// M(result, left or only neighbour, right neighbour, number)
#if COLUMNS == 4
#define RESULTS 2
#define EACH(M) M(s0, a0, b0, 0) M(s1, a1, b1, 1)
#define NEXT(x)                                                                                                                \
    a0 = a1;                                                                                                                   \
    a1 = x;
#define BACK(x)                                                                                                                \
    b1 = b0;                                                                                                                   \
    b0 = x;
#elif COLUMNS == 2
#define RESULTS 4
#define EACH(M) M(s0, a0, b0, 0) M(s1, a1, b1, 1) M(s2, a2, b2, 2) M(s3, a3, b3, 3)
#define NEXT(x)                                                                                                                \
    a0 = a1;                                                                                                                   \
    a1 = a2;                                                                                                                   \
    a2 = a3;                                                                                                                   \
    a3 = x;
#define BACK(x)                                                                                                                \
    b3 = b2;                                                                                                                   \
    b2 = b1;                                                                                                                   \
    b1 = b0;                                                                                                                   \
    b0 = x;
#else
#define RESULTS 8
#define EACH(M)                                                                                                                \
    M(s0, a0, b0, 0)                                                                                                           \
    M(s1, a1, b1, 1) M(s2, a2, b2, 2) M(s3, a3, b3, 3) M(s4, a4, b4, 4) M(s5, a5, b5, 5) M(s6, a6, b6, 6) M(s7, a7, b7, 7)
#define NEXT(x)                                                                                                                \
    a0 = a1;                                                                                                                   \
    a1 = a2;                                                                                                                   \
    a2 = a3;                                                                                                                   \
    a3 = a4;                                                                                                                   \
    a4 = a5;                                                                                                                   \
    a5 = a6;                                                                                                                   \
    a6 = a7;                                                                                                                   \
    a7 = x;
#define BACK(x)                                                                                                                \
    b7 = b6;                                                                                                                   \
    b6 = b5;                                                                                                                   \
    b5 = b4;                                                                                                                   \
    b4 = b3;                                                                                                                   \
    b3 = b2;                                                                                                                   \
    b2 = b1;                                                                                                                   \
    b1 = b0;                                                                                                                   \
    b0 = x;
#endif

#define DECLARE(s, a, b, k)                                                                                                    \
    precise Lane s;                                                                                                            \
    Lane a;                                                                                                                    \
    Lane b;
#define ADD_PAIR(s, a, b, k) s = s + (a + b) * weight;
#define ADD_DIFFERENCE(s, a, b, k) s = s + (a - b) * weight;
#define ADD(s, a, b, k) s = s + a * weight;
#define TAKE(s, a, b, k) s = chosen(s, a);

// The results of a strip whose first value is at `first`, from neighbours that AT(line, i) gives.
#if DO == EVEN || DO == ODD
#define BEGIN(s, a, b, k, AT)                                                                                                  \
    s = AT(line, first + k) * weights[half_size];                                                                              \
    a = AT(line, first - half_size + k);                                                                                       \
    b = AT(line, first + half_size + k);
#if DO == EVEN
#define STEP EACH(ADD_PAIR)
#else
#define STEP EACH(ADD_DIFFERENCE)
#endif
#define WALK(AT)                                                                                                               \
    for (int j = half_size; j > 0; --j) {                                                                                      \
        double weight = weights[half_size - j];                                                                                \
        STEP                                                                                                                   \
        NEXT(AT(line, first - j + RESULTS))                                                                                    \
        BACK(AT(line, first + j - 1))                                                                                          \
    }
#elif DO == SUM
#define BEGIN(s, a, b, k, AT)                                                                                                  \
    s = AT(line, first + after + k) * weights[half_size + after];                                                              \
    a = AT(line, first - half_size + k);
#define WALK(AT)                                                                                                               \
    for (int j = -half_size; j < after; ++j) {                                                                                 \
        double weight = weights[half_size + j];                                                                                \
        EACH(ADD)                                                                                                              \
        NEXT(AT(line, first + j + RESULTS))                                                                                    \
    }
#else
#define BEGIN(s, a, b, k, AT)                                                                                                  \
    s = AT(line, first - half_size + k);                                                                                       \
    a = s;
#define WALK(AT)                                                                                                               \
    for (int j = -half_size; j < after; ++j) {                                                                                 \
        NEXT(AT(line, first + j + RESULTS))                                                                                    \
        EACH(TAKE)                                                                                                             \
    }
#endif
#define BEGIN_INSIDE(s, a, b, k) BEGIN(s, a, b, k, inside)
#define BEGIN_ANYWHERE(s, a, b, k) BEGIN(s, a, b, k, anywhere)

// Of equal values the later one, whose zero may have another sign.
#if DO == MINIMUM
double one(double best, double value) { return value <= best ? value : best; }
#else
double one(double best, double value) { return value >= best ? value : best; }
#endif
Lane chosen(Lane best, Lane value) {
#if COLUMNS == 4
    return dvec4(one(best.x, value.x), one(best.y, value.y), one(best.z, value.z), one(best.w, value.w));
#elif COLUMNS == 2
    return dvec2(one(best.x, value.x), one(best.y, value.y));
#else
    return one(best, value);
#endif
}

void main() {
    int unit = int(linear_invocation());
    if (unit >= u_units)
        return;
    int lanes = u_step / COLUMNS;
    int strips = (u_length + RESULTS - 1) / RESULTS;
    int line = unit / lanes / strips * u_block + unit % lanes * COLUMNS;
    int begin = unit / lanes % strips * RESULTS;
    int first = begin - u_origin;
    int half_size = u_reach.x;
    int after = u_reach.y;
    EACH(DECLARE)
    if (first - half_size >= 0 && first + max(half_size, after) + RESULTS <= u_length) {
        EACH(BEGIN_INSIDE)
        WALK(inside)
    } else {
        EACH(BEGIN_ANYWHERE)
        WALK(anywhere)
    }
#if ALONG == 1
    store_four(line + begin, s0, s1, s2, s3, line + u_length);
    store_four(line + begin + 4, s4, s5, s6, s7, line + u_length);
#else
#define PUT(s, a, b, k)                                                                                                        \
    if (begin + k < u_length)                                                                                                  \
        store(line + (begin + k) * u_step, s);
    EACH(PUT)
#endif
}
