// The values of an array that a spline is made of at a place along one axis, and their weights, in doubles, each operation rounded,
// in SciPy's order (src/glproc/arrays/splines/taps.cpp). Places are below 2^52, so that whole numbers of periods are exact.
//
// Wants ORDER, 0 to 5. NVIDIA's compiler rounds local arrays of doubles: weights are six variables in two vectors.
#define CONSTANT 0
#define NEAREST 1
#define MIRROR 2
#define REFLECT 3
#define WRAP 4
#define GRID_WRAP 5
#define GRID_CONSTANT 6

// Of 2^52 or more, or no number at all.
bool is_far(double place) {
    return (unpackDouble2x32(place).y >> 20 & 0x7ffu) >= 1075u;
}

double whole_periods(double periods, int period, double more) {
    precise double whole = (trunc(periods) + more) * double(period);
    return whole;
}

double folded_below(double place, int length, int border) {
    precise double result = -1.0LF;
    if (border == MIRROR) {
        int period = 2 * length - 2;
        precise double periods = -place / double(period);
        result = whole_periods(periods, period, 0.0LF) + place;
        result = result <= double(1 - length) ? result + double(period) : -result;
    } else if (border == REFLECT) {
        int period = 2 * length;
        precise double periods = -place / double(period);
        precise double near = place < -double(period) ? whole_periods(periods, period, 0.0LF) + place : place;
        double least = packDouble2x32(uvec2(0x9ee75616u, 0x3cd203afu)); // 1e-15
        result = near < -double(length) ? near + double(period) : (near > -least ? least : -near) - 1.0LF;
    } else if (border == WRAP) {
        precise double periods = -place / double(length - 1);
        result = place + whole_periods(periods, length - 1, 1.0LF);
    } else if (border == GRID_WRAP) {
        precise double periods = (-1.0LF - place) / double(length);
        result = place + whole_periods(periods, length, 1.0LF);
    } else if (border == NEAREST) {
        result = 0.0LF;
    }
    return result;
}

double folded_above(double place, int length, int border) {
    precise double result = -1.0LF;
    if (border == MIRROR || border == REFLECT) {
        int period = border == MIRROR ? 2 * length - 2 : 2 * length;
        precise double periods = place / double(period);
        result = place - whole_periods(periods, period, 0.0LF);
        double back = border == MIRROR ? 0.0LF : 1.0LF;
        result = result >= double(length) ? double(period) - result - back : result;
    } else if (border == WRAP || border == GRID_WRAP) {
        int period = border == WRAP ? length - 1 : length;
        precise double periods = place / double(period);
        result = place - whole_periods(periods, period, 0.0LF);
    } else if (border == NEAREST) {
        result = double(length - 1);
    }
    return result;
}

// The place that stands for one beyond the array. Below 0 where there is none.
double folded_place(double place, int length, int border) {
    bool is_below = place < 0.0LF;
    if (!is_below && place <= double(length - 1))
        return place;
    if (length <= 1 && border != CONSTANT)
        return 0.0LF;
    return is_below ? folded_below(place, length, border) : folded_above(place, length, border);
}

double inner_cubic(double y) {
    precise double value = (y * y * (y - 2.0LF) * 3.0LF + 4.0LF) / 6.0LF;
    return value;
}

double outer_quartic(double y) {
    double fraction = packDouble2x32(uvec2(0xaaaaaaabu, 0x3fcaaaaau)); // 5/24
    double last = packDouble2x32(uvec2(0x55555555u, 0x3fe25555u)); // 55/96
    precise double value = y * (y * (y * (5.0LF - y) / 6.0LF - 1.25LF) + fraction) + last;
    return value;
}

double inner_quintic(double y) {
    double last = packDouble2x32(uvec2(0x9999999au, 0x3fe19999u)); // 0.55
    precise double t = y * y;
    precise double value = t * (t * (0.25LF - y / 12.0LF) - 0.5LF) + last;
    return value;
}

double outer_quintic(double y) {
    double last = packDouble2x32(uvec2(0x33333333u, 0x3fdb3333u)); // 0.425
    precise double value = y * (y * (y * (y * (y / 24.0LF - 0.375LF) + 1.25LF) - 1.75LF) + 0.625LF) + last;
    return value;
}

// For a place that is x after the middle value; the last one is what is missing to 1.
dvec4 weights_at(double x, out dvec2 more) {
    precise double a = 0.0LF;
    precise double b = 0.0LF;
    precise double c = 0.0LF;
    precise double d = 0.0LF;
    precise double e = 0.0LF;
    precise double f = 0.0LF;
    precise double rest = 1.0LF - x;
#if ORDER == 1
    a = rest;
    b = 1.0LF - a;
#elif ORDER == 2
    precise double half_off = 0.5LF - x;
    a = 0.5LF * half_off * half_off;
    b = 0.75LF - x * x;
    c = 1.0LF - a - b;
#elif ORDER == 3
    a = rest * rest * rest / 6.0LF;
    b = inner_cubic(x);
    c = inner_cubic(rest);
    d = 1.0LF - a - b - c;
#elif ORDER == 4
    precise double half_off = 0.5LF - x;
    precise double square = half_off * half_off;
    double last = packDouble2x32(uvec2(0xaaaaaaabu, 0x3fe32aaau)); // 115/192
    a = square * square / 24.0LF;
    b = outer_quartic(1.0LF + x);
    c = x * x * (x * x * 0.25LF - 0.625LF) + last;
    d = outer_quartic(rest);
    e = 1.0LF - a - b - c - d;
#elif ORDER == 5
    precise double square = rest * rest;
    a = rest * square * square / 120.0LF;
    b = outer_quintic(x + 1.0LF);
    c = inner_quintic(x);
    d = inner_quintic(rest);
    e = outer_quintic(rest + 1.0LF);
    f = 1.0LF - a - b - c - d - e;
#endif
    more = dvec2(e, f);
    return dvec4(a, b, c, d);
}

// Where value i is, from the first; below 0 for the constant.
int index_of(double index, int length, int border) {
    if (index >= 0.0LF && index < double(length))
        return int(index);
    if (border == GRID_CONSTANT)
        return -1;
    // A spline's own values go on beyond the array as the filter took it.
    int beyond = border == CONSTANT || border == WRAP ? MIRROR : border;
    return clamp(int(folded_place(index, length, beyond)), 0, length - 1);
}

struct Taps {
    bool is_beyond; // the result is the constant
    ivec4 at;
    ivec2 more;
};

// Writes the weights apart: a struct with doubles would be rounded.
Taps taps_at(double place, int length, int border, out dvec4 weights, out dvec2 more) {
    weights = dvec4(0.0LF);
    more = dvec2(0.0LF);
    if (border != GRID_CONSTANT && border != NEAREST) {
        place = folded_place(place, length, border);
        if (place <= -1.0LF)
            return Taps(true, ivec4(0), ivec2(0));
    }
#if ORDER % 2 == 1
    precise double middle = floor(place);
#else
    precise double middle = floor(place + 0.5LF);
#endif
    precise double x = place - middle;
    weights = weights_at(x, more);
    double first = middle - double(ORDER / 2);
    Taps taps = Taps(false, ivec4(0), ivec2(0));
    taps.at.x = index_of(first, length, border);
#if ORDER >= 1
    taps.at.y = index_of(first + 1.0LF, length, border);
#endif
#if ORDER >= 2
    taps.at.z = index_of(first + 2.0LF, length, border);
#endif
#if ORDER >= 3
    taps.at.w = index_of(first + 3.0LF, length, border);
#endif
#if ORDER >= 4
    taps.more.x = index_of(first + 4.0LF, length, border);
#endif
#if ORDER >= 5
    taps.more.y = index_of(first + 5.0LF, length, border);
#endif
    return taps;
}
