// Square roots of integers as floats, by integers: the same bits on every driver.

bool is_greater(uvec2 a, uvec2 b) { // low and high word
    return a.y > b.y || (a.y == b.y && a.x > b.x);
}

uvec2 square_of_odd(uint odd) {
    uvec2 square;
    umulExtended(odd, odd, square.y, square.x);
    return square;
}

// The root of n < 2^48 (low and high word), rounded to the nearest float. No root lies halfway between two floats: its
// square would have more bits.
float root_of_whole(uvec2 whole) {
    bool is_zero = whole.x == 0u && whole.y == 0u;
    uvec2 n = is_zero ? uvec2(1u, 0u) : whole; // zero would take all turns
    int power = (n.y != 0u ? 32 + findMSB(n.y) : findMSB(n.x)) >> 1; // the root is 2^power or more, but less than twice that
    uint shift = uint(48 - 2 * power);
    uvec2 scaled = shift >= 32u ? uvec2(0u, n.x << (shift - 32u))
                                : uvec2(n.x << shift, n.y << shift | n.x >> 1 >> (31u - shift));
    // Its root is between 2^24 and 2^25: the float's 24 bits, and what they leave over.
    uint mantissa = uint(sqrt(float(scaled.y) * 4294967296.0 + float(scaled.x)) * 0.5);
    bool is_right = false;
    for (int turn = 0; turn < 16 && !is_right; ++turn) { // a driver's root is off by a few
        bool is_low = is_greater(scaled, square_of_odd(2u * mantissa + 1u));
        bool is_high = is_greater(square_of_odd(2u * mantissa - 1u), scaled);
        mantissa += is_low ? 1u : 0u;
        mantissa -= is_high ? 1u : 0u;
        is_right = !is_low && !is_high;
    }
    float unit = uintBitsToFloat(uint(power - 23 + 127) << 23);
    return is_zero ? 0.0 : float(mantissa) * unit;
}
