#version 430 core
// The coefficients of splines through the lines along one axis, by one pole of their filter. A filter goes down each line and up again, in
// doubles and in the order of SciPy's spline_filter1d. Each operation is rounded, so the bits are SciPy's.
//
// Only the values of one line wait for one another. A group filters LINES lines, in parts of STEPS values. Its first invocations
// go through a part in shared memory, one line each. Meanwhile the others load the part that follows and store the part before.
// Neighbours in a group read and write neighbours in memory, whatever the axis. Other groups have other lines.
//
// Source: M. Unser, A. Aldroubi, M. Eden, Fast B-spline transforms, IEEE PAMI 13 (1991).
//
// Updates b_values   the array, as doubles
//         u_pole     the bits of the pole, and of the gain
//         u_far      of the pole to the power of the length, less 1 where mirrored, and of 1 less its square
//         u_ends     where reflected, of the factors of the first and the last value; where mirrored, of 0 and the divisor of the
//                    last value
// Group grid         one group for each LINES lines
// Shared memory      13824 bytes
//
// @define BORDER  MIRROR|REFLECT|GRID_WRAP
#define MIRROR 0
#define REFLECT 1
#define GRID_WRAP 2

#define LINES 8
#define STEPS 64
#define GOERS 32 // a warp by itself; LINES of them have work
#define OTHERS 128
layout(local_size_x = 160) in; // both

#include "lib/group.glsl"
#include "lib/sync.glsl"

layout(std430) coherent buffer b_values { double values[]; };
uniform int u_length;
uniform int u_step;
uniform int u_lines;
uniform uvec4 u_pole;
#if BORDER != GRID_WRAP
uniform uvec4 u_far;
uniform uvec4 u_ends;
#endif

#define PITCH (LINES + 1) // so that a column of steps lies in several banks
#define PART (STEPS * PITCH)
shared double s_parts[3 * PART]; // what a step takes, then what it makes

// The ways of a filter along its lines.
#define BEGIN 0 // adds up what is before the first value
#define DOWN 1
#define TURN 2 // adds up what is after the last value
#define UP 3

// Of this group.
int first_line;
int lines;

void find_lines() {
    first_line = int(linear_group()) * LINES;
    lines = clamp(u_lines - first_line, 0, LINES);
}

// Of a line on its way.
double now = 0.0LF;    // the last value, or the sum so far
double before = 0.0LF; // the value before that
double power = 0.0LF;  // of the pole, of a sum

int place_of(int line, int i) {
    int number = first_line + line;
    return number / u_step * u_length * u_step + number % u_step + i * u_step;
}

double scaled(double value) {
    precise double result = value * packDouble2x32(u_pole.zw);
    return result;
}

// Values of a part: neighbours in memory follow one another.
int step_of(int n) { return u_step == 1 ? n % STEPS : n / LINES; }
int line_of(int n) { return u_step == 1 ? n / STEPS : n % LINES; }

// Where step `step` of a way is on its line.
int index_of(int way, int step) {
    if (way == BEGIN)
        return BORDER == GRID_WRAP ? u_length - 1 - step : 1 + step;
    return way == DOWN ? 1 + step : way == UP ? u_length - 2 - step : step;
}

void take(int way, double value) {
    double pole = packDouble2x32(u_pole.xy);
    precise double next = 0.0LF;
    if (way == DOWN) {
        next = value + pole * now;
    } else if (way == UP) {
        precise double difference = now - value;
        next = pole * difference;
    } else {
        next = now + power * value;
        precise double more = power * pole;
        power = more;
    }
    before = now;
    now = next;
}

// Loads that do not wait for stores before them. Variables: NVIDIA's compiler rounds a local array of doubles to floats.
#define EACH(M) M(d0, 0) M(d1, 1) M(d2, 2) M(d3, 3) M(d4, 4) M(d5, 5) M(d6, 6) M(d7, 7)
#define LOAD(d, i) double d = s_parts[at + i * PITCH];
#define TAKE(d, i)                                                                                                             \
    take(way, d);                                                                                                              \
    d = now;
#define PUT(d, i) s_parts[at + i * PITCH] = d;

void go(int way, int begin, int steps) {
    int end = begin + steps * PITCH;
    int at = begin;
    for (; at + 7 * PITCH < end; at += 8 * PITCH) {
        EACH(LOAD)
        EACH(TAKE)
        if (way == DOWN || way == UP) {
            EACH(PUT)
        }
    }
    for (; at < end; at += PITCH) {
        take(way, s_parts[at]);
        s_parts[at] = now;
    }
}

// Each of the others has so many values of a part.
#define EACH_VALUE(M) M(near0, far0, 0) M(near1, far1, 1) M(near2, far2, 2) M(near3, far3, 3)
#define FETCH(near_one, far_one, i)                                                                                            \
    double near_one = 0.0LF;                                                                                                   \
    double far_one = 0.0LF;                                                                                                    \
    if (begin + step_of(other + i * OTHERS) < steps && line_of(other + i * OTHERS) < lines) {                                  \
        int index = index_of(way, begin + step_of(other + i * OTHERS));                                                        \
        near_one = values[place_of(line_of(other + i * OTHERS), index)];                                                       \
        if (way == BEGIN && BORDER != GRID_WRAP)                                                                               \
            far_one = values[place_of(line_of(other + i * OTHERS), u_length - 1 - index)];                                     \
    }
#define KEEP(near_one, far_one, i)                                                                                             \
    s_parts[part % 3 * PART + step_of(other + i * OTHERS) * PITCH + line_of(other + i * OTHERS)] = taken(way, near_one, far_one);

// The value that a step takes, by those that were loaded for it.
double taken(int way, double near_one, double far_one) {
    if (way == TURN || way == UP)
        return near_one;
    precise double value = scaled(near_one);
#if BORDER != GRID_WRAP
    if (way == BEGIN)
        value = value + packDouble2x32(u_far.xy) * scaled(far_one);
#endif
    return value;
}

void store_part(int way, int part, int steps, int other) {
    for (int n = other; n < STEPS * LINES; n += OTHERS) {
        int step = part * STEPS + step_of(n);
        if (step < steps && line_of(n) < lines)
            values[place_of(line_of(n), index_of(way, step))] = s_parts[part % 3 * PART + step_of(n) * PITCH + line_of(n)];
    }
}

// Loads a part and stores the one two before it.
void load_and_store(int way, int part, int steps, int other) {
    int begin = part * STEPS;
    EACH_VALUE(FETCH)
    if (part >= 2 && (way == DOWN || way == UP))
        store_part(way, part - 2, steps, other);
    EACH_VALUE(KEEP)
}

// Goes along all lines of the group.
void go_along(int way, int steps) {
    int me = int(gl_LocalInvocationIndex);
    int parts = lines > 0 ? (steps + STEPS - 1) / STEPS : 0;
    for (int part = 0; part < parts + 2; ++part) {
        if (me >= GOERS)
            load_and_store(way, part, steps, me - GOERS);
        else if (me < lines && part >= 1 && part <= parts)
            go(way, (part - 1) % 3 * PART + me, min(steps - (part - 1) * STEPS, STEPS));
        wg_sync();
    }
    memoryBarrierBuffer(); // the next way reads what this one stored
    wg_sync();
}

// The first value of a line, from the sum of others.
void end_sum_before(double own) {
    precise double first = now;
#if BORDER == GRID_WRAP
    precise double rest = 1.0LF - power;
    first = first / rest;
#elif BORDER == MIRROR
    first = first / packDouble2x32(u_far.zw);
#else
    // SciPy's reflected sum counts itself in the end.
    precise double both = scaled(values[place_of(int(gl_LocalInvocationIndex), u_length - 1)]) + packDouble2x32(u_far.xy) * first;
    first = first + power * both;
    first = first * packDouble2x32(u_ends.xy);
    first = first + own;
#endif
    now = first;
}

// The last value of a line, with which the way up begins.
void end_sum_after() {
    double pole = packDouble2x32(u_pole.xy);
    precise double value = now;
#if BORDER == MIRROR
    value = pole * before + value;
    value = value * pole;
    value = value / packDouble2x32(u_ends.zw);
#elif BORDER == REFLECT
    value = value * packDouble2x32(u_ends.zw);
#else
    precise double factor = pole / (power - 1.0LF);
    value = value * factor;
#endif
    now = value;
}

void main() {
    int me = int(gl_LocalInvocationIndex);
    find_lines();
    double own = 0.0LF;
    if (me < lines) {
        own = scaled(values[place_of(me, 0)]);
        precise double sum = own;
#if BORDER != GRID_WRAP
        sum = sum + packDouble2x32(u_far.xy) * scaled(values[place_of(me, u_length - 1)]);
#endif
        now = sum;
        power = packDouble2x32(u_pole.xy);
    }
    go_along(BEGIN, BORDER == GRID_WRAP ? u_length - 1 : u_length - 2);
    if (me < lines) {
        end_sum_before(own);
        before = now;
        values[place_of(me, 0)] = now;
    }
    go_along(DOWN, u_length - 1);
#if BORDER == GRID_WRAP
    power = packDouble2x32(u_pole.xy);
    go_along(TURN, u_length - 1);
#endif
    if (me < lines) {
        end_sum_after();
        values[place_of(me, u_length - 1)] = now;
    }
    go_along(UP, u_length - 1);
}
