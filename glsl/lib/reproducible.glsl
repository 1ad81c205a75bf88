// Arithmetic that gives the same bits on every driver. Only sums and products of two floats are rounded alike
// everywhere. fma() rounds once on NVIDIA and twice on Mesa's software renderers, with or without `precise`. A quotient
// may miss by 2.5 ulp (GLSL 4.30, 4.7.1). Nothing here assumes more.

// sum + weight x value, the product rounded before it is added.
float add_product(float sum, float weight, float value) {
    precise float product = weight * value;
    precise float result = sum + product;
    return result;
}

// The same for a product of at most 24 bits, where rounding cannot tell one operation from two.
float add_whole_product(float sum, float weight, float value) {
    precise float result = fma(weight, value, sum);
    return result;
}

float product_of(float a, float b) {
    precise float result = a * b;
    return result;
}

// 1 / value, rounded to nearest; 0 where that is below 2^-104.
//
// With the mantissa as a whole number m of 24 bits that is 2^47 / m. The driver's quotient misses it by 3 at most. So
// the remainder of a guess, 2^47 - guess x m, is within 4 m of 0, and its low 32 bits are all of it.
float reciprocal(float value) {
    uint bits = floatBitsToUint(value);
    uint m = (bits & 0x7fffffu) | 0x800000u;
    uint guess = uint(1.0 / uintBitsToFloat(m - 0x800000u + 0x3f800000u) * 16777216.0 + 0.5);
    for (int i = 0; i < 3; ++i) {
        int twice = -2 * int(guess * m);
        guess += uint(twice > int(m)) - uint(twice < -int(m));
    }
    int exponent = int(bits >> 23 & 255u);
    float power = uintBitsToFloat(uint(max(230 - exponent, 0)) << 23 | (bits & 0x80000000u));
    return product_of(float(guess), power);
}

// value / divisor, exact if the quotient has at most 18 bits, as whole and half codes have. `per_divisor` is
// reciprocal(divisor). Their product misses the quotient by a bit or two. So if anything of 18 bits is the quotient, it
// is the nearest number of 18 bits.
float quotient_of(float value, float divisor, float per_divisor) {
    float guess = product_of(value, per_divisor);
    float nearest = uintBitsToFloat((floatBitsToUint(guess) + 0x20u) & 0xffffffc0u);
    return product_of(nearest, divisor) == value ? nearest : guess;
}

// The whole number nearest to value / divisor, half to even, up to 2^16 and not negative. `per_divisor` is 1 / divisor
// as the driver rounds it. That is wrong by so little that the floor can be off only beside a whole number, which is
// then the answer either way.
float nearest_quotient(float value, float divisor, float per_divisor) {
    precise float whole = floor(value * per_divisor);
    precise float halfway = (whole + 0.5) * divisor;
    bool is_odd = fract(whole * 0.5) != 0.0;
    return value > halfway || (value == halfway && is_odd) ? whole + 1.0 : whole;
}

// A whole number: `low` holds its parts of 2^0 and `high` its parts of 2^16. Exact below 2^24, rounded once below 2^32.
float float_of(uint high, uint low) {
    high += low >> 16;
    precise float upper = float(high >> 16) * 4294967296.0 + float(high & 65535u) * 65536.0;
    precise float result = upper + float(low & 65535u);
    return result;
}

float float_of(uint whole) {
    return float_of(0u, whole);
}
