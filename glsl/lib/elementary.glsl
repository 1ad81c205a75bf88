// Roots, powers and angles with the same bits on every driver. They use only sums and products that are rounded alike
// everywhere. The polynomials are Chebyshev fits of the functions named, with a relative error below 2e-8.
#include "lib/reproducible.glsl"
#include "lib/value.glsl"

// x - r x r, without the rounding error of the product: r is cut in two halves of 12 bits, whose products are exact (T.
// J. Dekker, A floating-point technique for extending the available precision, Numer. Math. 18, 1971).
float root_residual(float x, float r) {
    float high = uintBitsToFloat(floatBitsToUint(r) & 0xfffff000u);
    precise float low = r - high;
    precise float cross_products = 2.0 * high * low;
    precise float residual = ((x - high * high) - cross_products) - low * low;
    return residual;
}

// The square root, rounded to nearest; 0 where x is not positive, NaN where it is. Not by !(x > 0): drivers turn that around.
float root_of(float x) {
    float guess = sqrt(x); // off by a few units in the last place
    precise float better = guess + root_residual(x, guess) * (0.5 / guess);
    // Beyond halfway to a neighbour the residual is larger than r times their distance.
    float unit = uintBitsToFloat((floatBitsToUint(better) & 0x7f800000u) - (23u << 23));
    float residual = root_residual(x, better);
    precise float half_way = better * unit;
    precise float result = better + (residual > half_way ? unit : residual < -half_way ? -unit : 0.0);
    return is_nan(x) || x > 3.0e38 ? x : x > 1.0e-30 ? result : 0.0;
}

float length_of(float x, float y) {
    precise float squares = x * x + y * y;
    return root_of(squares);
}

// The angle of (x, y) from the x axis, -pi to pi; NaN where one of them is, which min() and max() need not keep.
float angle_of(float y, float x) {
    if (is_nan(x) || is_nan(y)) {
        return uintBitsToFloat(0x7fc00000u);
    }
    float least = min(abs(x), abs(y));
    float most = max(abs(x), abs(y));
    float t = most > 0.0 ? product_of(least, reciprocal(most)) : 0.0;
    bool is_wide = t > 0.41421356; // tan(pi / 8)
    precise float above = t - 1.0;
    precise float below = t + 1.0;
    float s = is_wide ? product_of(above, reciprocal(below)) : t;
    precise float z = s * s;
    precise float slope = (((0.07984963 * z - 0.13851478) * z + 0.19974405) * z - 0.33332797) * z + 0.99999998;
    precise float angle = slope * s + (is_wide ? 0.78539816 : 0.0);
    precise float steep = 1.57079633 - angle;
    angle = abs(y) > abs(x) ? steep : angle;
    precise float left = 3.14159265 - angle;
    angle = x < 0.0 ? left : angle;
    return y < 0.0 ? -angle : angle;
}

// The logarithm to the base 2 of (below + above) / (below - above), up to the root of 2 or down to the root of 1/2.
float log2_of_sides(float above, float below) {
    float s = product_of(above, reciprocal(below));
    precise float z = s * s;
    precise float slope = ((0.43173303 * z + 0.57671451) * z + 0.96179885) * z + 2.88539008;
    return product_of(slope, s);
}

// The logarithm of x > 0 to the base 2.
float log2_of(float x) {
    uint bits = floatBitsToUint(x) - 0x3f3504f3u; // the square root of 1/2
    int exponent = int(bits) >> 23;
    float m = uintBitsToFloat((bits & 0x7fffffu) + 0x3f3504f3u); // from there to the root of 2
    precise float above = m - 1.0;
    precise float below = m + 1.0;
    precise float result = float(exponent) + log2_of_sides(above, below);
    return result;
}

// 2^f - 1 for -0.5 <= f <= 0.5, to as many bits where it is near 0.
float growth_of(float f) {
    precise float high = ((1.54614475e-4 * f + 1.33908674e-3) * f + 9.61805667e-3) * f + 5.55035710e-2;
    precise float slope = (high * f + 0.240226509) * f + 0.693147188;
    return product_of(slope, f);
}

// 2^f for -0.5 <= f <= 0.5.
float mantissa_of(float f) {
    precise float mantissa = growth_of(f) + 1.0;
    return mantissa;
}

float exp2_of(float x) {
    x = clamp(x, -126.0, 127.99999);
    float whole = floor(x + 0.5);
    precise float f = x - whole;
    float mantissa = mantissa_of(f);
    // A whole of 128 comes with a mantissa below 1, and two steps keep both within a float's range.
    int e = int(whole);
    float half_power = uintBitsToFloat(uint((e >> 1) + 127) << 23);
    float rest = uintBitsToFloat(uint(e - (e >> 1) + 127) << 23);
    return product_of(product_of(mantissa, half_power), rest);
}

// x to the power y, 0 for x <= 0, which has no root here.
float power_of(float x, float y) {
    precise float exponent = y * log2_of(x);
    return x > 0.0 ? exp2_of(exponent) : 0.0;
}

// The sine of `f` right angles, 0 to 1, with a relative error below 6e-8.
float quarter_sine(float f) {
    precise float z = f * f;
    precise float slope = ((((-3.43182911e-6 * z + 1.60254691e-4) * z - 4.6816578e-3) * z + 7.96926037e-2) * z - 0.645964096) * z + 1.57079633;
    return product_of(slope, f);
}
