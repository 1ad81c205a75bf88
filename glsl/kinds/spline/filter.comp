#version 430 core
// The coefficients of splines through the lines along one axis, by one pole of their filter. A filter goes down each line and up again, in
// doubles and in the order of SciPy's spline_filter1d. Each operation is rounded, so the bits are SciPy's. An invocation does a line.
// Source: M. Unser, A. Aldroubi, M. Eden, Fast B-spline transforms, IEEE PAMI 13 (1991).
//
// Updates b_values   the array, as doubles
//         u_pole     the bits of the pole, and of the gain
//         u_far      of the pole to the power of the length, less 1 where mirrored, and of 1 less its square
//         u_ends     where reflected, of the factors of the first and the last value; where mirrored, of 0 and the divisor of the
//                    last value
// Group grid         one invocation for each line
//
// @define BORDER  MIRROR|REFLECT|GRID_WRAP
#define MIRROR 0
#define REFLECT 1
#define GRID_WRAP 2

layout(local_size_x = 64) in;

#include "lib/group.glsl"

layout(std430) buffer b_values { double values[]; };
uniform int u_length;
uniform int u_step;
uniform int u_lines;
uniform uvec4 u_pole;
#if BORDER != GRID_WRAP
uniform uvec4 u_far;
uniform uvec4 u_ends;
#endif

int place_of(int line, int i) {
    return line / u_step * u_length * u_step + line % u_step + i * u_step;
}

double scaled(int line, int i) {
    precise double value = values[place_of(line, i)] * packDouble2x32(u_pole.zw);
    return value;
}

// The first value on the way down: a sum over all that is before it.
double first_of(int line, double pole) {
    precise double first = scaled(line, 0);
    precise double power = pole;
#if BORDER == GRID_WRAP
    for (int i = 1; i < u_length; ++i) {
        first = first + power * scaled(line, u_length - i);
        power = power * pole;
    }
    precise double rest = 1.0LF - power;
    first = first / rest;
#else
    double far = packDouble2x32(u_far.xy);
    double own = first;
    first = first + far * scaled(line, u_length - 1);
#if BORDER == MIRROR
    int end = u_length - 1;
#else
    int end = u_length;
#endif
    for (int i = 1; i < end; ++i) {
        // SciPy's reflected sum counts itself in the end.
        double other = i + 1 < u_length ? scaled(line, u_length - 1 - i) : first;
        precise double both = scaled(line, i) + far * other;
        first = first + power * both;
        power = power * pole;
    }
#if BORDER == MIRROR
    first = first / packDouble2x32(u_far.zw);
#else
    first = first * packDouble2x32(u_ends.xy);
    first = first + own;
#endif
#endif
    return first;
}

// The last value, which begins the way up; `last` and `before` are the last two of the way down.
double last_of(int line, double pole, double before, double last) {
    precise double value = last;
#if BORDER == MIRROR
    value = pole * before + value;
    value = value * pole;
    value = value / packDouble2x32(u_ends.zw);
#elif BORDER == REFLECT
    value = value * packDouble2x32(u_ends.zw);
#else
    precise double power = pole;
    for (int i = 0; i + 1 < u_length; ++i) {
        value = value + power * values[place_of(line, i)];
        power = power * pole;
    }
    precise double factor = pole / (power - 1.0LF);
    value = value * factor;
#endif
    return value;
}

void main() {
    int line = int(linear_invocation());
    if (line >= u_lines)
        return;
    double pole = packDouble2x32(u_pole.xy);
    precise double now = first_of(line, pole);
    double before = now;
    values[place_of(line, 0)] = now;
    for (int i = 1; i < u_length; ++i) {
        before = now;
        now = scaled(line, i) + pole * now;
        values[place_of(line, i)] = now;
    }
    now = last_of(line, pole, before, now);
    values[place_of(line, u_length - 1)] = now;
    for (int i = u_length - 2; i >= 0; --i) {
        precise double step = now - values[place_of(line, i)];
        now = pole * step;
        values[place_of(line, i)] = now;
    }
}
