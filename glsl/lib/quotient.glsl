#include "lib/reproducible.glsl"

// n / d to within a unit in the last place of a double or two, the same on every driver; 0 where there is no divisor.
double quotient_of_doubles(double n, double d) {
    if (!(abs(d) > 1.0e-30lf)) {
        return 0.0lf;
    }
    precise double per = double(reciprocal(float(d)));
    for (int i = 0; i < 2; ++i) {
        precise double off = 1.0lf - d * per;
        per = per + per * off;
    }
    precise double quotient = n * per;
    precise double rest = n - quotient * d;
    precise double result = quotient + rest * per;
    return result;
}
