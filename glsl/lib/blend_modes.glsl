// The modes of blend.glsl: how two colours become one. Needs its defines. Only to choose the type of numbers may `#if` ask for MODE:
// twins have doubles alone, and MODE as a number.
//
// A colour is in code units: 0 to FULL. A mode returns a quotient, so that nothing is rounded on the way.
#include "lib/value.glsl"
#include "lib/elementary.glsl"
#include "lib/quotient.glsl"

#define PLUS 5
#define LAST_OPERATOR 5
#define FIRST_OF_ALL_COLOURS 17
#define LAST_OF_ALL_COLOURS 20
#define FIRST_ARITHMETIC 21

// Numbers are doubles (0), floats (1) or whole numbers (2). Doubles hold all that the others do: twins have them alone.
#if FADED == 1 || SRC_DEPTH > 8
#define NUMBER 0
#else
#if MODE == 11 || MODE == 12 || MODE == 14 || MODE == 26 || (MODE >= FIRST_OF_ALL_COLOURS && MODE <= LAST_OF_ALL_COLOURS)
#define NUMBER 0
#elif ALPHAS == 1 && (MODE == 6 || MODE == 7 || MODE == 8 || MODE == 13 || MODE == 16)
#define NUMBER 2
#else
#define NUMBER 1
#endif
#endif

#if NUMBER == 0
#define number_t double
#define exact_number precise double
#elif NUMBER == 1
#define number_t float
#define exact_number precise float
#else
#define number_t uint
#define exact_number uint
#endif
#define ZERO number_t(0)
#define ONE number_t(1)

#if SRC_DEPTH == 32
#define FULL number_t(1)
#else
#define FULL number_t((1 << SRC_DEPTH) - 1)
#endif

// A share of an image in a pixel: parts of a whole.
struct Share {
    number_t part;
    number_t whole;
};

struct Quotient {
    number_t above;
    number_t below;
};

number_t number_of(float value) {
#if SRC_DEPTH == 32
    return number_t(value);
#else
    return number_t(in_units(value, float(FULL)));
#endif
}

// Opaque is one of one, which keeps the numbers small.
Share share_of(float alpha) {
    number_t part = number_of(alpha);
    return part == FULL ? Share(ONE, ONE) : Share(part, FULL);
}

// The share at an opacity of less than 1.
Share faded(Share share) {
#if NUMBER == 0
    precise double part = share.part * double(param(0));
    return Share(part, share.whole);
#else
    return share;
#endif
}

// Of the operators of Porter and Duff: what counts of the second image's colour, in parts of top.whole x under.whole.
number_t weight_of_top(Share under, Share top) {
    if (MODE == 0 || MODE == PLUS) { // over, plus
        return top.part * under.whole;
    }
    if (MODE == 1 || MODE == 3) { // in, atop
        return top.part * under.part;
    }
    return top.part * (under.whole - under.part); // out, xor
}

// And of the image's own.
number_t weight_of_under(Share under, Share top) {
    if (MODE == PLUS) {
        return top.whole * under.part;
    }
    return MODE == 1 || MODE == 2 ? ZERO : (top.whole - top.part) * under.part; // in, out
}

#if NUMBER == 0
double root_of_double(double x) {
    precise double guess = double(root_of(float(x)));
    precise double result = guess > 0.0lf ? 0.5lf * (guess + quotient_of_doubles(x, guess)) : 0.0lf;
    return result;
}
#endif

// The code nearest to a quotient, half to even. As floats it is off by one at most, which the rest shows.
float nearest_code(number_t above, number_t below) {
    if (!(below > ZERO) || !(above > ZERO)) {
        return 0.0;
    }
    float code = min(floor(float(above) * (1.0 / float(below))), float(FULL));
#if NUMBER == 2
    int whole = int(below);
    int rest = int(above - uint(code) * below); // below 2^31 even where the product is not
#else
    number_t whole = below;
    exact_number rest = above - number_t(code) * below;
#endif
    code += rest >= whole ? 1.0 : rest < 0 ? -1.0 : 0.0;
    rest += rest >= whole ? -whole : rest < 0 ? whole : whole - whole;
    bool is_odd = fract(code * 0.5) != 0.0;
    bool is_nearer = rest + rest > whole || (rest + rest == whole && is_odd);
    return min(is_nearer ? code + 1.0 : code, float(FULL));
}

Quotient over_full(number_t above) {
    return Quotient(above, FULL);
}

Quotient screened(number_t from, number_t to) {
    exact_number both = FULL * (from + to);
    exact_number above = both - from * to;
    return over_full(above);
}

Quotient lit_hard(number_t from, number_t to) {
    return to + to <= FULL ? over_full(from * (to + to)) : screened(from, to + to - FULL);
}

Quotient divided(number_t from, number_t to) {
    return to == ZERO ? Quotient(ZERO, ONE) : to < ZERO ? Quotient(ZERO - FULL * from, ZERO - to) : Quotient(FULL * from, to);
}

#if NUMBER == 0
Quotient dodged(double from, double to) {
    bool is_full = from >= FULL - to;
    return from <= ZERO ? Quotient(ZERO, ONE) : is_full ? Quotient(FULL, ONE) : Quotient(FULL * from, FULL - to);
}

Quotient burnt(double from, double to) {
    bool is_none = FULL - from >= to;
    return from >= FULL ? Quotient(FULL, ONE) : is_none ? Quotient(ZERO, ONE) : Quotient(FULL * (to + from - FULL), to);
}

Quotient lit_softly(double from, double to) {
    precise double twice = to + to - FULL;
    precise double rest = FULL - from;
    if (twice <= ZERO) {
        precise double darker = from * FULL * FULL + twice * from * rest;
        return Quotient(darker, FULL * FULL);
    }
    precise double cubic = ((16.0lf * from - 12.0lf * FULL) * from + 4.0lf * FULL * FULL) * from;
    precise double bent = 4.0lf * from <= FULL ? cubic : root_of_double(from * FULL) * FULL * FULL;
    precise double lighter = from * FULL * FULL * FULL + twice * (bent - from * FULL * FULL);
    return Quotient(lighter, FULL * FULL * FULL);
}

// A param and the next one, which add up to a double.
double long_param(int i) {
    return double(param(i)) + double(param(i + 1));
}

Quotient weighted(double from, double to) {
    precise double ours = long_param(1) * from;
    precise double theirs = long_param(3) * to;
    precise double sum = ours + theirs + long_param(5);
    return Quotient(sum, ONE);
}
#endif

#if NUMBER == 0
#include "lib/blend_colours.glsl"
#else
void keep_colours(vec3 own, vec3 other) {
}
#endif

Quotient excluded(number_t from, number_t to) {
    exact_number both = FULL * (from + to);
    exact_number above = both - (from + from) * to;
    return over_full(above);
}

// Modes that need doubles for all numbers.
Quotient blended_as_doubles(number_t from, number_t to) {
#if NUMBER == 0
    if (MODE == 11) { // color-dodge
        return dodged(from, to);
    }
    if (MODE == 12) { // color-burn
        return burnt(from, to);
    }
    if (MODE == 14) { // soft-light
        return lit_softly(from, to);
    }
    if (MODE == 26) { // sum
        return weighted(from, to);
    }
    return next_colour();
#else
    return Quotient(ZERO, ONE);
#endif
}

Quotient arithmetic(number_t from, number_t to) {
    if (MODE == 21) { // subtract
        return Quotient(from - to, ONE);
    }
    if (MODE == 22) { // divide
        return divided(from, to);
    }
    if (MODE == 25) { // mix
        return Quotient(from + to, ONE + ONE);
    }
    uint bits = uint(from);
    uint others = uint(to);
    return Quotient(number_t(MODE == 27 ? bits & others : MODE == 28 ? bits | others : bits ^ others), ONE); // and, or, exclusive-or
}

Quotient blended(number_t from, number_t to) {
    if (MODE == 6) { // multiply
        return over_full(from * to);
    }
    if (MODE == 7) { // screen
        return screened(from, to);
    }
    if (MODE == 8) { // overlay
        return lit_hard(to, from);
    }
    if (MODE == 9 || MODE == 23) { // darken, min
        return Quotient(to < from ? to : from, ONE);
    }
    if (MODE == 10 || MODE == 24) { // lighten, max
        return Quotient(to > from ? to : from, ONE);
    }
    if (MODE == 13) { // hard-light
        return lit_hard(from, to);
    }
    if (MODE == 15) { // difference
        return Quotient(to > from ? to - from : from - to, ONE);
    }
    if (MODE == 16) { // exclusion
        return excluded(from, to);
    }
    return MODE >= FIRST_ARITHMETIC && MODE != 26 ? arithmetic(from, to) : blended_as_doubles(from, to);
}
