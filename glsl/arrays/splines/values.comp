#version 430 core
// Values of a spline at places in an array of one to three axes. Doubles are added in the order of SciPy's map_coordinates,
// affine_transform and zoom, and each operation is rounded: the bits are SciPy's.
//
// Reads   b_src     the coefficients, lib/volume.glsl
//         b_places  ALONG: for each axis the place for each index of the result, one axis after another. MATRIX: for each axis the
//                   factors of the indices, and the offset. COORDINATES: for each axis the place of each result
//         u_length  of the source along each axis, the last one in the last of RANK numbers
//         u_shape   of the result, likewise
// Writes  b_dst     the results, one after another
//         b_far     1 where a place is too far away for these programs
// Group grid        one invocation for each RESULTS results
//
// @define SRC     U8|I8|U16|I16|U32|I32|U64|I64|F32|F64
// @define DST     U8|I8|U16|I16|U32|I32|F32|F64
// @define ORDER   0|1|2|3|4|5
// @define RANK    1|2|3
// @define PLACES  ALONG|MATRIX|COORDINATES
#define ALONG 0
#define MATRIX 1
#define COORDINATES 2
#define COLUMNS 1
#include "lib/volume.glsl"

layout(local_size_x = 64) in;

#include "lib/group.glsl"
#include "lib/spline.glsl"

layout(std430) readonly buffer b_places { double places[]; };
layout(std430) buffer b_far { uint far; };
uniform uvec4 u_length;
#if PLACES != COORDINATES
uniform uvec4 u_shape;
#endif
#if PLACES != ALONG
uniform uvec4 u_padding; // the bits of a double
#endif
uniform uvec4 u_constant; // the same, and of 0
uniform int u_border;
uniform int u_results;
#if DST <= I32
uniform int u_rounds;
uniform uvec4 u_bounds; // the bits of the least and of the largest integer
#endif

#if DST <= I16
#define RESULTS 4
#else
#define RESULTS 1
#endif

double picked(dvec4 weights, dvec2 more, int i) {
    double late = i == 4 ? more.x : more.y;
    return i == 0 ? weights.x : i == 1 ? weights.y : i == 2 ? weights.z : i == 3 ? weights.w : late;
}

int picked(Taps taps, int i) {
    int late = i == 4 ? taps.more.x : taps.more.y;
    return i == 0 ? taps.at.x : i == 1 ? taps.at.y : i == 2 ? taps.at.z : i == 3 ? taps.at.w : late;
}

// The indices of a result, the last one in the last of RANK numbers.
ivec3 indices_of(int result) {
#if PLACES == COORDINATES || RANK == 1
    return ivec3(result, 0, 0);
#elif RANK == 2
    return ivec3(result / int(u_shape.y), result % int(u_shape.y), 0);
#else
    int row = result / int(u_shape.z);
    return ivec3(row / int(u_shape.y), row % int(u_shape.y), result % int(u_shape.z));
#endif
}

double place_of(int axis, ivec3 index, int result) {
#if PLACES == COORDINATES
    precise double place = places[axis * u_results + result] + packDouble2x32(u_padding.xy);
#elif PLACES == MATRIX
    int row = axis * (RANK + 1);
    precise double place = packDouble2x32(u_constant.zw) + double(index.x) * places[row];
#if RANK >= 2
    place = place + double(index.y) * places[row + 1];
#endif
#if RANK == 3
    place = place + double(index.z) * places[row + 2];
#endif
    place = place + places[row + RANK];
    place = place + packDouble2x32(u_padding.xy);
#else
    int before = axis == 0 ? 0 : axis == 1 ? int(u_shape.x) : int(u_shape.x + u_shape.y);
    double place = places[before + (axis == 0 ? index.x : axis == 1 ? index.y : index.z)];
#endif
    if (is_far(place)) {
        far = 1u;
        return 0.0LF;
    }
    return place;
}

double sum_at(int result) {
    ivec3 index = indices_of(result);
    double constant = packDouble2x32(u_constant.xy);
    dvec4 w0;
    dvec2 v0;
    Taps t0 = taps_at(place_of(0, index, result), int(u_length.x), u_border, w0, v0);
    if (t0.is_beyond)
        return constant;
#if RANK >= 2
    dvec4 w1;
    dvec2 v1;
    Taps t1 = taps_at(place_of(1, index, result), int(u_length.y), u_border, w1, v1);
    if (t1.is_beyond)
        return constant;
#endif
#if RANK == 3
    dvec4 w2;
    dvec2 v2;
    Taps t2 = taps_at(place_of(2, index, result), int(u_length.z), u_border, w2, v2);
    if (t2.is_beyond)
        return constant;
#endif
    precise double sum = packDouble2x32(u_constant.zw);
    for (int i = 0; i <= ORDER; ++i) {
        int a = picked(t0, i);
#if RANK >= 2
        for (int j = 0; j <= ORDER; ++j) {
            int b = picked(t1, j);
#if RANK == 3
            for (int k = 0; k <= ORDER; ++k) {
                int c = picked(t2, k);
                int at = (a * int(u_length.y) + b) * int(u_length.z) + c;
                precise double value = (a | b | c) < 0 ? constant : value_at(at);
#if ORDER > 0
                value = value * picked(w0, v0, i);
                value = value * picked(w1, v1, j);
                value = value * picked(w2, v2, k);
#endif
                sum = sum + value;
            }
#else
            precise double value = (a | b) < 0 ? constant : value_at(a * int(u_length.y) + b);
#if ORDER > 0
            value = value * picked(w0, v0, i);
            value = value * picked(w1, v1, j);
#endif
            sum = sum + value;
#endif
        }
#else
        precise double value = a < 0 ? constant : value_at(a);
#if ORDER > 0
        value = value * picked(w0, v0, i);
#endif
        sum = sum + value;
#endif
    }
    return sum;
}

// As SciPy's interpolation stores a value: within the type, to the nearest integer.
double result_at(int result) {
    precise double value = sum_at(min(result, u_results - 1));
#if DST <= I32
    if (u_rounds != 0) {
        double least = packDouble2x32(u_bounds.xy);
        value = value > 0.0LF ? value + 0.5LF : least == 0.0LF ? 0.0LF : value - 0.5LF;
        value = value > packDouble2x32(u_bounds.zw) ? packDouble2x32(u_bounds.zw) : value < least ? least : value;
    }
#endif
    return value;
}

void main() {
    int first = int(linear_invocation()) * RESULTS;
    if (first >= u_results)
        return;
#if RESULTS == 1
    store(first, result_at(first));
#else
    store_four(first, result_at(first), result_at(first + 1), result_at(first + 2), result_at(first + 3), u_results);
#endif
}
