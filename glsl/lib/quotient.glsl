#include "lib/reproducible.glsl"

// 1 / d to within a unit in the last place of a double or two, the same on every driver.
double reciprocal_of_double(double d) {
    precise double per = double(reciprocal(float(d)));
    for (int i = 0; i < 2; ++i) {
        precise double off = 1.0lf - d * per;
        per = per + per * off;
    }
    return per;
}

// n / d to within such a unit, where `per` is 1 / d. Quotients that doubles hold are exact.
double quotient_by(double n, double d, double per) {
    precise double quotient = n * per;
    precise double rest = n - quotient * d;
    precise double result = quotient + rest * per;
    return result;
}

// The same; 0 where there is no divisor.
double quotient_of_doubles(double n, double d) {
    return abs(d) > 1.0e-30lf ? quotient_by(n, d, reciprocal_of_double(d)) : 0.0lf;
}
